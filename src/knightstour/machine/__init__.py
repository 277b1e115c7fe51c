"""What the computer gives: compiled code, files that are whole or absent, memory, processes and clusters."""
