"""How packing.cc packs tours in few bits a move.

A move is coded by its direction (or its place in a list of neighbours), `bits` bits, the first move in the highest
bits of the first byte, as `numpy.packbits` lays bits.
"""

AS_IT_IS, UNDIRECTED, CYCLES = range(3)  # how a tour is packed: as it is, from its lower end, from the lowest square
