"""Access to the computer: kernels, files, memory, worker processes and clusters."""
