"""The page in the browser and its JSON interface (needs the extra ``web``).

A view on `advise` and the puzzle book: the server reads positions and asks worker processes, the
page draws boards. Neither knows how a game is won or what a move is worth.
"""
