"""Tours with a small or large value of a statistic, such as turns: improved step by step, or proved optimal."""
