"""Chess as it is written: positions, moves and games as text, and pictures of them.

The rules and what is known of the game stand in ``encodings/chess``; nothing here repeats them.
"""
