"""The public names of `knightstour.sequences`, each with the module it comes from."""

from .lab.counting.narrow import count_recurrence as count_recurrence
from .lab.sequences.check import SequenceCheck as SequenceCheck
from .lab.sequences.check import Term as Term
from .lab.sequences.check import check as check
from .lab.sequences.check import extend as extend
from .lab.sequences.sequence import Sequence as Sequence
from .lab.sequences.table import SEQUENCES as SEQUENCES
from .lab.sequences.table import Place as Place
from .lab.sequences.table import find as find
