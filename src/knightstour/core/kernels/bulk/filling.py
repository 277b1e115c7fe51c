"""Items of arithmetic patterns, with which filling.cc fills arrays.

An item says: for i in from_row..to_row - 1 and e in begin..end - 1, with x = e % width and the tables at `offset + x`,

    out[place + i * step + e] = first + i * rise + (e // width) * jump
"""

PLACE, STEP, WIDTH, OFFSET, FROM_ROW, TO_ROW, BEGIN, END = range(8)
