"""Tours with less or more of a statistic, such as turns: improved step by step, or proved best."""
