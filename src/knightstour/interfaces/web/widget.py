"""A tour in a notebook, with its player: the element `<knights-tour>` as a widget.

It needs anywidget, which is in the extra `widget` (pip install 'knightstour[widget]').
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import real_number, whole_number
from knightstour.interfaces.web.embed import attributes_of, check_page, widget_module

if TYPE_CHECKING:
    from anywidget import AnyWidget


@explains_arguments
def draw_widget(
    tour: Tour,
    *,
    style: str = "board",
    theme: str = "auto",
    numbers: bool | int = False,
    fps: float = 3,
    step: int = -1,
) -> AnyWidget:
    """A tour that notebooks show and replay: the picture, and below it buttons, a slider and the speed.

    tour: of up to 60x60. style, theme, numbers: as for `draw_svg`; "auto" is the theme of the notebook.
    fps: steps a second at first. step: the step that is shown, 0 for the first square alone; -1: the whole tour.

    The widget has `step` and `theme` and more as traits: set them and the notebook shows it, read `step` and know where
    the player is, `observe` it and hear of each step.

    Needs the extra `widget` (pip install 'knightstour[widget]'); a FormatError without it, for options that make no
    sense and for a larger tour, and BoardError for a graph.
    """
    look = check_page(tour.board, {"style": style, "theme": theme, "numbers": numbers})
    texts = attributes_of(tour)
    speed = real_number(fps, "fps", error=FormatError)
    step = whole_number(step, "step", least=-1, most=tour.board.square_count - 1, error=FormatError)
    widget: AnyWidget = _kind()(
        **texts, look=look.style, theme=look.theme, numbers=bool(look.numbers), speed=speed, step=step
    )
    return widget


@functools.cache
def _kind() -> Any:
    """The class of the widget; it is made when it is first needed, for anywidget takes long to import."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise FormatError("anywidget is not installed", help="pip install 'knightstour[widget]'") from error

    class KnightsTour(anywidget.AnyWidget):
        """The element `<knights-tour>` as a widget; its traits are the attributes of the element."""

        _esm = widget_module()
        board = traitlets.Unicode().tag(sync=True)
        tour = traitlets.Unicode().tag(sync=True)
        look = traitlets.Unicode("board").tag(sync=True)
        theme = traitlets.Unicode("auto").tag(sync=True)
        numbers = traitlets.Bool(False).tag(sync=True)
        speed = traitlets.Float(3).tag(sync=True)
        step = traitlets.Int(-1).tag(sync=True)

    return KnightsTour
