"""Text that users hand in, where data files are, and files that are written."""
