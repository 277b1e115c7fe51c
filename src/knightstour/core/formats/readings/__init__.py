"""Tours in loose notations: a text in no exact format is read if one interpretation fits."""
