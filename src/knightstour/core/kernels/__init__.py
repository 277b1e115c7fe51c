"""The inner loops of searches, counts and bulk work, which know numbers and arrays, and no class of the project.

They are C++: NAME.cc is the kernel, NAME.py beside it says what its arrays hold, abi.h how Python calls it, and
builder.py builds all of them as one library.
"""
