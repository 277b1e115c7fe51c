"""The public names of `knightstour.notebook`, each with the module it comes from."""

from .interfaces.web.widget import widget as widget
