"""Rule sheets in the Game Description Language, turned into a game's encodings."""
