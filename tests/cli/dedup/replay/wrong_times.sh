# needs: yajl
# What becomes of times that are missing, wrong, late, or far ahead.
exec 2>&1
replay()
{
    seenset dedup --window 1h --time-field .ts -f .k "$@"
    echo "status $?"
}
cat >log <<END
{"ts":1700000000,"k":"a"}
{"k":"a"}
{"ts":"soon","k":"a"}
{"ts":null,"k":"a"}
{"ts":99999999999,"k":"a"}
{"ts":1700000001,"k":"a"}
END
replay log
replay --missing drop log
replay --missing error log
echo "-- a wrong time in the past makes those after it late"
printf '{"ts":%s,"k":"%s"}\n' 1700000000 a 1720000000 b 1700000010 a \
    1700000020 c 1700000030 c >log
replay log
replay --time-jump 1d log
replay --time-jump 1d --set set log
seenset dedup --set set --time-field .ts -f .k --time-jump 1d log -c
echo "-- add leaves its set as it was, and has asks as of the time"
seenset new --window 1h window
sed 2d log >sound
seenset add window --time-field .ts -f .k --time-jump 1d --from log
echo "status $?"
seenset add window --time-field .ts -f .k --time-jump 1d --from sound
seenset has window a
echo "status $?"
printf '{"ts":%s,"k":"a"}\n' 1700003000 1700006000 |
    seenset has window --time-field .ts -f .k --annotate
echo "-- what does not go together"
seenset dedup --time-field .ts log
seenset dedup --time-field .ts --window 1k log
seenset dedup --time-jump 1d --window 1h log
seenset dedup --window 1h --time-field .a,.b log
seenset dedup --window 1h --time-field when log
seenset dedup --window 1h --csv --time-field when log
seenset dedup --window 1h --time-field .ts --time-jump 0 log
seenset add window --time-field .ts -f .k key
seenset new plain
seenset add plain --time-field .ts -f .k --from log
seenset has plain --time-field .ts -f .k --from log
true
