"""The public interface's own functions; `advisor` hands them out."""
