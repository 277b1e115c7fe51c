"""Tours in notations of people and programs: a text in no exact format is read loosely if one interpretation fits."""
