"""Knight's tours: ask for one on any board, and get it or the proof that there is none.

The public names are those of the stub beside this file, `__init__.pyi`; the modules that it lists last hold the rarer
ones. Each is loaded when first used, so `import knightstour` costs next to nothing.
"""

from __future__ import annotations

from knightstour import _names
from knightstour import _plugins as _plugins

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)

__version__ = "0.2.0.dev0"

# What people type for a name that is longer, as a short one would be that of a folder or say too little.
_MEANT = {
    "find": "find_tour",
    "tour": "find_tour",
    "is_tour": "check",
    "tours": "iter_tours",
    "enumerate": "iter_tours",
    "enumerate_tours": "iter_tours",
    "improve_tour": "improve",
    "save": "Tour.save",
    "facts": "board_facts",
    "read": "read_tours",
    "write": "write_tours",
    "puzzle": "make_puzzle",
    "rank": "TourSpace",
    "unrank": "TourSpace",
    "Graph": "Board.from_graph",
    "methods": "METHODS",
    "distributions": "DISTRIBUTIONS",
}
