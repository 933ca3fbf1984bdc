# Once a run, and not of a queue that grows.
seq 1 100 | seenset queue push -n 100 --on-full degrade a
seenset queue stat a | grep at_capacity
{ seq 1 150; sleep 0.2; seq 1 200; } | seenset queue push a
seq 1 50 | seenset queue push -n 100 --on-full refuse b
seenset queue stat b | grep at_capacity
seq 1 101 | seenset queue push b
echo "refused: $?"
seenset queue stat b | grep at_capacity
seenset queue stat --json b | grep -o '"at_capacity":[a-z]*'
seq 1 300 | seenset queue push -n 100 c
seenset queue stat c | grep at_capacity
seenset queue stat --json c | grep -o '"at_capacity":[a-z]*'
