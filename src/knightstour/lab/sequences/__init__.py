"""Sequences of counts: what entries of the OEIS count, as questions that the counters answer; checked and continued."""
