"""Puzzles that are made: looked for in games, proved twice, written as files."""
