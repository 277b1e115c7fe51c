"""OEIS sequences of counts of tours: definitions as problems, checks, and further terms."""
