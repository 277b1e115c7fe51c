"""Kernels: the inner loops of searches, counts and bulk work, on numbers and arrays alone.

They are written in C++: NAME.cc is the kernel, NAME.py next to it describes its arrays, abi.h defines the calls from
Python, and builder.py builds all of them as one library.
"""
