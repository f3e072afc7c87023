"""Chess notation: positions, moves and games as text, and pictures of them.

The rules and the knowledge of the game are in ``encodings/chess``; nothing here repeats them.
"""
