# A set at its capacity says so, unless it grows.
for policy in degrade refuse grow; do
    seenset new -n 100 -p 0.01 --on-full $policy $policy
    seq 1 60 | seenset add $policy
    seenset info $policy | grep ^capacity
    seq 1 200 | seenset add $policy 2>/dev/null
    seenset info $policy | grep ^capacity
    seenset info --json $policy | grep is_at_capacity
done
