"""Text from users, the places of data files, and files that are written."""
