"""Search for any game; nothing here is specific to one."""
