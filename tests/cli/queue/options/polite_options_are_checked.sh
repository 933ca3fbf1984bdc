# Rules of hosts, for a folder as for a crawl in Redis; other rules are refused,
# and nothing is made or changed then.
for words in "--per-host 2" "--by host" "--host-budget 3" "--from-start" \
    "--polite=x" \
    "--polite=-1" "--polite=nan" "--polite=1e8" "--polite --per-host 0" \
    "--polite --per-host 65536" "--polite --by path" \
    "--polite --host-budget 0"; do
    seenset queue push $words crawl </dev/null 2>&1 | head -n 1
    seenset queue push $words redis://127.0.0.1:1/crawl </dev/null 2>&1 |
        head -n 1 >last
    seenset queue push $words crawl </dev/null 2>&1 | head -n 1 | cmp - last
done
[ -e crawl ] || echo "no folder was made"
echo http://a.example/ | seenset queue push -n 100 --polite=2.5 --per-host 2 \
    --by host-port --host-budget 7 crawl
for words in "--polite" "--polite=2.5 --by host-port --host-budget 7" \
    "--polite=2.5 --per-host 2 --host-budget 7" \
    "--polite=2.5 --per-host 2 --by host-port" \
    "--polite=2.5 --per-host 2 --by host-port --host-budget 8" \
    "--polite=2.5 --from-start --per-host 2 --by host-port --host-budget 7" \
    "--polite=2500ms --per-host 2 --by host-port --host-budget 7"; do
    seenset queue push $words crawl </dev/null 2>&1 | head -n 1
done
seenset queue push --polite=2.5 --per-host 2 --by host-port --host-budget 7 \
    crawl </dev/null
echo "the same: $?"
echo http://a.example/ | seenset queue push -n 100 plain
seenset queue push --polite plain </dev/null
echo "not polite: $?"
seenset queue host plain a.example --delay 3
echo "not polite: $?"
seenset queue hosts plain
echo "not polite: $?"
seenset queue pop plain | seenset queue nack --host-delay 3 plain
echo "not polite: $?"
for words in "crawl" "crawl a --delay -1" "crawl a --delay 367d" \
    "crawl a --block x" "crawl a --budget 0" "crawl a b"; do
    seenset queue host $words 2>&1 | head -n 1
done
# A name that no URL has as its host, and what is meant; names have no case.
for host in http://a.example/1 a.example:80 a.example:443 A.example:81 \
    https://a.example:443/1 ''; do
    seenset queue host crawl "$host" --delay 3 2>&1
done
# What is advised is not refused in its turn.
for host in http://c.example:443/ https://c.example:80/ http://c.example:80/ \
    http://c.example:8080/; do
    seenset queue host crawl "$host" 2>&1
done
# A host that the queue has may have such a port: of the other scheme.
echo http://a.example:443/ | seenset queue push crawl
seenset queue host crawl a.example:443 --delay 3
echo "known: $?"
seenset queue host crawl http://a.example:443/ 2>&1
seenset queue hosts crawl | cut -f 5
seenset queue push -n 100 --polite --from-start start </dev/null
seenset queue stat --json start | grep -o '"is_delay_from_start":[a-z]*'
seenset queue push --polite start </dev/null
echo "from the start: $?"
seenset queue remake --polite start end && seenset queue stat --json end |
    grep -o '"is_delay_from_start":[a-z]*'
seenset queue hosts --by size crawl 2>&1 | head -n 1
seenset queue remake --polite --not-polite crawl new 2>&1 | head -n 1
seenset queue stat crawl | grep -E '^(host|pending|over)'
