"""Solutions of whole boards: grown in a file, made smaller, checked."""
