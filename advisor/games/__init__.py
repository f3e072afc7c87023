"""The games. Each game has a package of its own."""
