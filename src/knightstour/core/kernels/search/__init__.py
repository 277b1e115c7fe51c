"""The inner loop of each method that looks for one tour."""
