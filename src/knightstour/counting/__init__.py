"""Exact numbers: how many tours a board has, which number a tour has among them, and tours drawn evenly from all."""
