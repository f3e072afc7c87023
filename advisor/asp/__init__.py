"""Answer set programs: solved one position at a time, or compiled into a circuit."""
