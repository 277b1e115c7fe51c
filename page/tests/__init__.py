"""The page in a real browser. A package, so that server and browser live for these tests only."""
