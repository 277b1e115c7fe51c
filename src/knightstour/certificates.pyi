"""The public names of `knightstour.certificates`, each with the module it comes from."""

from .lab.certificates.verify import Verdict as Verdict
from .lab.certificates.verify import Verification as Verification
