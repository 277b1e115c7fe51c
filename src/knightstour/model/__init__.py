"""Boards, tours, questions and answers: frozen values and pure functions, which everything else takes and gives."""
