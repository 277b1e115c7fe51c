"""What the code needs of the computer: compiling, safe files, memory, worker processes and clusters."""
