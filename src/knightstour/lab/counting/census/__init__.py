"""Census of a board: number of tours for each value of a statistic, such as turns or crossings."""
