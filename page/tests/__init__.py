"""Tests of the page in a real browser. A package, so that server and browser exist only for these tests."""
