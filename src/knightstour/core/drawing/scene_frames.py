"""The scenes of a proof as the frames of a moving picture: beat by beat, each with its sentence below the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knightstour.core.drawing.figure import Drawable, figure_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.picture import document, picture
from knightstour.core.model.errors import FormatError
from knightstour.core.model.scene import Scene

# A reader takes a second to find the place, and this long for a letter of the sentence.
_SECONDS, _SECONDS_A_LETTER = 1.0, 0.045


def scenes_in(subject: Drawable | Iterable[Scene]) -> tuple[Scene, ...]:
    """The scenes, if these are some; nothing for what is drawn otherwise."""
    if isinstance(subject, Scene):
        return (subject,)
    if isinstance(subject, list | tuple) and subject and all(isinstance(each, Scene) for each in subject):
        return tuple(subject)
    return ()


def frames_of_scenes(scenes: Sequence[Scene], most: int) -> list[Scene]:
    """Each scene beat by beat; a FormatError where that is more than `most` frames."""
    frames = [frame for scene in scenes for frame in scene.frames]
    if len(frames) > most:
        raise FormatError(
            f"the proof has {len(frames)} steps, and a picture of at most {most} frames would leave some out",
            help=f"allow for {len(frames)} frames, or draw one scene",
        )
    return frames


def seconds_for(frame: Scene) -> float:
    """How long a frame is shown."""
    return _SECONDS + _SECONDS_A_LETTER * len(frame.sentence)


def svgs_of(frames: Sequence[Scene], look: Look) -> list[str]:
    """The frames as SVG texts of one size, with the board at one place."""
    figures = [figure_of(frame) for frame in frames]
    pens = [Pen(look) for _ in frames]
    drawn = [picture(figure, look, pen) for figure, pen in zip(figures, pens, strict=True)]
    boxes = [box for _, box in drawn]
    left, top = (min(box[k] for box in boxes) for k in (0, 1))
    right, bottom = (max(box[k] + box[k + 2] for box in boxes) for k in (0, 1))
    box = (left, top, right - left, bottom - top)
    return [
        document(content, box, look, pen, figure.title, figure.description)
        for (content, _), pen, figure in zip(drawn, pens, figures, strict=True)
    ]
