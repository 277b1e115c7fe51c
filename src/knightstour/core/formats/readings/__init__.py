"""Tours in the forms in which people keep them: what no exact format holds is taken apart, and read if one way fits."""
