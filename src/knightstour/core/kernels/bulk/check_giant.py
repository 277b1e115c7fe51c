"""The findings of check_giant.cc, which checks giant tours a part at a time."""

# Items of `found`: how many zeros, numbers beyond 1..most and squares without a next number; the least number of these;
# then for number 1, the last number and a stray one where in the block it is first met; and how often 1 and the last
# are there.
ZEROS, STRAY, LOST, LEAST_LOST, AT_FIRST, FIRSTS, AT_LAST, LASTS, AT_STRAY = range(9)

# Items of `walk`: steps taken, and the square before.
STEP, ROW, COL = range(3)
