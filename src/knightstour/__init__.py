"""Knight's tours: ask for one on any board, and get it or the proof that there is none.

The public names are those of the stub beside this file, `__init__.pyi`. Each is loaded when first used, so
`import knightstour` costs next to nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.2.0.dev0"
