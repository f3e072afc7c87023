"""The web page and its JSON interface (needs the extra ``web``).

The server reads positions and passes jobs to worker processes; the page draws boards. Both only
present `advise` and the puzzle book: neither knows how a game is won or what a move is worth.
"""
