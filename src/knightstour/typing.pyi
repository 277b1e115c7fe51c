"""The public names of `knightstour.typing`, each with the module it comes from."""

from .core.checking.check import CheckReport as CheckReport
from .core.checking.check import Fault as Fault
from .core.checking.check import FileCheck as FileCheck
from .core.methods.arguments import SolveArguments as SolveArguments
from .core.methods.overview import Overview as Overview
from .core.methods.table import Method as Method
from .core.model.board import BoardLike as BoardLike
from .core.model.board import MoveGraph as MoveGraph
from .core.model.board import Square as Square
from .core.model.condition_table import QuestionArguments as QuestionArguments
from .core.model.progress import OnProgress as OnProgress
from .core.model.scene import Line as Line
from .core.model.scene import Mark as Mark
from .core.model.scene import Scene as Scene
from .core.model.trace import Event as Event
from .core.model.trace import View as View
from .core.proofs.facts import BoardFacts as BoardFacts
from .core.statistics.statistic import Statistic as Statistic
from .lab.catalogues.table import Catalogue as Catalogue
from .lab.counting.plan import CountPlan as CountPlan
from .lab.instances.instance import Instance as Instance
