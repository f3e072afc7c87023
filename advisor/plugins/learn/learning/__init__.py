"""Knowledge of a game that is found from its rules alone."""
