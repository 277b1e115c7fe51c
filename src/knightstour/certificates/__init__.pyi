"""The public names of `knightstour.certificates`, each with the module it comes from."""

from .verify import Verdict as Verdict
from .verify import Verification as Verification
