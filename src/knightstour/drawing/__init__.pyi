"""The public names of `knightstour.drawing`, each with the module it comes from."""

from ..web.embed import Html as Html
from ..web.embed import draw_html as draw_html
from ..web.embed import embed_script as embed_script
from ..web.widget import draw_widget as draw_widget
from .pdf import draw_pdf as draw_pdf
from .plotter.files import draw_gcode as draw_gcode
from .plotter.files import draw_hpgl as draw_hpgl
from .png import draw_png as draw_png
from .svg.gallery import draw_gallery as draw_gallery
from .svg.picture import Svg as Svg
from .text import draw_text as draw_text
