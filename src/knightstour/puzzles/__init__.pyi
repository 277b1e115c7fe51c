"""The public names of `knightstour.puzzles`, each with the module it comes from."""

from .files import format_puzzle as format_puzzle
from .files import parse_puzzle as parse_puzzle
from .layout import Sheet as Sheet
from .puzzle import Hint as Hint
from .puzzle import Rating as Rating
from .sheets import draw_sheet as draw_sheet
from .solve import PuzzleAnswer as PuzzleAnswer
from .worksheets import draw_worksheet as draw_worksheet
