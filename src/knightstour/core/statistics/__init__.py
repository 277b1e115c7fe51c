"""Statistics of tours: numbers of turns, crossings, angles and slopes, for one tour or millions."""
