"""The public names of `knightstour.examples`, each with the module it comes from."""

from .lab.catalogues.table import CATALOGUES as CATALOGUES
from .lab.catalogues.table import catalogue as catalogue
from .lab.instances.table import FAMILIES as FAMILIES
from .lab.instances.table import instances as instances
