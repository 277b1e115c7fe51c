"""The public names: those at the top of the package, and those of the modules that it lists."""

from operator import attrgetter
from typing import Any

import knightstour as kt
from knightstour import _names

# Name -> what to type after `kt.`: itself, or with its module.
PATHS = _names.public()
# Name -> what it is.
PUBLIC: dict[str, Any] = {name: attrgetter(path)(kt) for name, path in PATHS.items()}
