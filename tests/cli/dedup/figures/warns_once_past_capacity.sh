# One warning past the capacity; and one more, where the rate was not ten times
# what was planned by then, when it is: that depends on how many lines the
# threads take at a time (new/refuses_what_cannot_work has the second alone).
seenset new seen -n 10k -p 0.001 --on-full degrade
seq 100000 | seenset dedup --set seen -c | head -n 1
