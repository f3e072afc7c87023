"""Learn weights from known results, or from games of a game against itself."""
