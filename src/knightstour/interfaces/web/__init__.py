"""The page in the browser and the JSON API behind it: `knightstour serve`."""
