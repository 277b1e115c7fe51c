"""Tours that are good at something: few turns, few crossings."""
