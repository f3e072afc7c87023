"""Answer set programs, grounded and solved."""
