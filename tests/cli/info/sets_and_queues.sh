# Sets and queues in one call: a table, blocks, objects on lines, and gauges,
# which have no false alarm for a queue that is sound.
command -v python3 >/dev/null || exit 0
seenset new a.set -n 1k
seenset add a.set x y
seq 10 | seenset queue push -n 1000 plain
seq 10 | seenset queue push plain
seenset queue pop -n 3 --lease 100000 plain | head -n 1 | seenset queue ack plain
seq 12 | seenset queue push --exact exact
seq 5 | seenset queue push --layout bloom --keyed keyed
seenset info a.set plain exact keyed | cut -c 1-31,76-
seenset info -v a.set plain exact | grep -E '^(file|queue|layout|scheme|exact|keyed) '
seenset info --json a.set plain exact keyed >objects
grep -c . objects
seenset info --format=prometheus a.set plain exact keyed nosuch 2>/dev/null >gauges
echo "status $?"
python3 "$SEENSET_TEST_ROOT/tests/cli/info/formats/prometheus_parser.py" gauges objects |
    sed "s/^[0-9]* figures/figures/"
grep -E '^seenset_(is_sound|info|capacity_items|fp_rate|queue_(pending|leased|acked|dropped_as_seen))\{' gauges
# A queue that cannot be read is told from one that was not looked at.
cp -r plain spoilt
echo x >spoilt/MANIFEST
seenset info --format=prometheus spoilt a.set | grep -E 'is_(readable|sound){'
mv keyed.secret elsewhere
seenset info --format=prometheus keyed | grep -v '^#'
seenset info --format=prometheus --secret-file elsewhere keyed | grep queue_pushed{
# The parser sees a figure of a queue that is wrong.
sed 's/\(seenset_queue_pending{file="plain"} \).*/\18/' gauges >wrong
python3 "$SEENSET_TEST_ROOT/tests/cli/info/formats/prometheus_parser.py" wrong objects \
    2>&1 | grep -c "seenset_queue_pending', 'plain', 8.0, 7"
