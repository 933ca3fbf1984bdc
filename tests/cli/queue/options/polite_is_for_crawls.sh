# Politeness is for crawls in Redis; a folder says so, and is not made.
for words in --polite --polite=2s "--polite --per-host 2 --by domain"; do
    seenset queue push $words crawl </dev/null
    echo "in a folder: $?"
done
[ -e crawl ] || echo "no folder was made"
for words in "--per-host 2" "--by host" "--host-budget 3" "--polite=x" \
    "--polite=1e8" "--polite --per-host 0" "--polite --per-host 65536" \
    "--polite --by path" "--polite --host-budget 0"; do
    seenset queue push $words redis://127.0.0.1:1/crawl </dev/null 2>&1 |
        head -n 1
done
