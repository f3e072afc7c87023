"""A Connect Four move advisor whose knowledge is written in answer set programming."""
