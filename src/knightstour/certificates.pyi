"""The public names of `knightstour.certificates`, each with the module it comes from."""

from .lab.certificates.certificate import Certificate as Certificate
from .lab.certificates.certify import certify_count as certify_count
from .lab.certificates.verify import Verdict as Verdict
from .lab.certificates.verify import Verification as Verification
from .lab.certificates.verify import verify as verify
