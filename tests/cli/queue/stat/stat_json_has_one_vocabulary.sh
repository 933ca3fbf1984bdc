# The names of info --json, beside the older ones; what does not exist is null.
members()
{
    tr ',{}' '\n' | grep -E '^"(path|format|layout|on_full|is_keyed|exact|capacity|capacity_items|added_items|at_capacity|is_at_capacity|fp_rate|promised_rate)"'
}
seq 10 | seenset queue push -n 1000 -p 1e-3 --keyed 'a "queue"'
seenset queue stat --json 'a "queue"' | members
seq 10 | seenset queue push --exact few
seenset queue stat --json few | members
# A parser takes it.
seenset queue stat --json 'a "queue"' | python3 -c '
import json, sys
all = json.load(sys.stdin)
print(all["path"], all["current_fp_rate"] == all["current_rate"] or
      abs(all["current_fp_rate"] / all["current_rate"] - 1) < 1e-5,
      all["memory_bytes"] == all["set_bytes"] > 0)'
# info hands on.
seenset info few | head -n 3
seenset info --json few | members | head -n 2
seenset info 'a "queue"' | grep pushed
mv 'a "queue".secret' elsewhere
seenset info --secret-file elsewhere 'a "queue"/' | grep pushed
for bad in --audit --bits --counters; do
    seenset info $bad few
    echo "$bad: $?"
done
mkdir folder
seenset info folder
echo "a folder: $?"
