"""The public names of `knightstour.sequences`, each with the module it comes from."""

from ..counting.narrow import count_recurrence as count_recurrence
from .bfile import write_bfile as write_bfile
from .check import SequenceCheck as SequenceCheck
from .check import Term as Term
from .check import check_sequence as check_sequence
from .check import extend_sequence as extend_sequence
from .draft import draft_sequence as draft_sequence
from .sequence import Sequence as Sequence
from .table import Place as Place
from .table import find_sequences as find_sequences
from .written import write_sequence as write_sequence
