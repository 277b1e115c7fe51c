"""The public names of `knightstour.puzzles`, each with the module it comes from."""

from .lab.puzzles.daily import puzzle_of_day as puzzle_of_day
from .lab.puzzles.files import read_puzzles as read_puzzles
from .lab.puzzles.files import write_puzzles as write_puzzles
from .lab.puzzles.layout import Sheet as Sheet
from .lab.puzzles.puzzle import Hint as Hint
from .lab.puzzles.puzzle import Rating as Rating
from .lab.puzzles.sheets import draw_sheet as draw_sheet
from .lab.puzzles.sheets import draw_worksheet as draw_worksheet
from .lab.puzzles.solve import PuzzleAnswer as PuzzleAnswer
