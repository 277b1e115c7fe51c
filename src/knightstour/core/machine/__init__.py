"""Access to the computer: calls of the kernels, safe files, memory, worker processes and clusters."""
