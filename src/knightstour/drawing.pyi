"""The public names of `knightstour.drawing`, each with the module it comes from."""

from .core.drawing.pdf import draw_pdf as draw_pdf
from .core.drawing.png import draw_png as draw_png
from .core.drawing.svg.gallery import draw_gallery as draw_gallery
from .core.drawing.svg.picture import Svg as Svg
from .core.drawing.text import draw_text as draw_text
from .interfaces.web.embed import Html as Html
from .interfaces.web.embed import draw_html as draw_html
from .interfaces.web.widget import draw_widget as draw_widget
