"""The public names of `knightstour.typing`, each with the module it comes from."""

from .checking.reports import CheckReport as CheckReport
from .checking.reports import Fault as Fault
from .counting.growth import GrowthRate as GrowthRate
from .counting.plan import CountPlan as CountPlan
from .methods.arguments import SolveArguments as SolveArguments
from .methods.overview import Overview as Overview
from .methods.table import Method as Method
from .model.board import BoardLike as BoardLike
from .model.board import MoveGraph as MoveGraph
from .model.board import Square as Square
from .model.condition_table import QuestionArguments as QuestionArguments
from .model.progress import OnProgress as OnProgress
from .model.scene import Line as Line
from .model.scene import Mark as Mark
from .model.scene import Scene as Scene
from .model.trace import Event as Event
from .model.trace import View as View
from .proofs.facts import BoardFacts as BoardFacts
from .statistics.statistic import Statistic as Statistic
