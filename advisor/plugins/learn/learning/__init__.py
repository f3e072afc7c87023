"""Find strategies in the rules of a game alone, and write them as rules."""
