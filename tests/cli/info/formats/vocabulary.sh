# needs: speed
# Every name in the JSON of a command is in docs/json.md.
command -v python3 >/dev/null || exit 0
seenset new a -n 10k
seq 100 | seenset add a
cp a b
{
    seenset info --json --audit=1 a
    seenset info --json a b
    seenset similarity --json a b
    seenset diff --json a b
    seenset plan --json
    seenset plan --json --table
} >objects
cat >names.py <<'END'
import json, re, sys
table = open(sys.argv[1], encoding="utf-8").read()
known = set(re.findall(r"`([a-z_]+)(?:\[\])?`", table))
text, at, seen = open("objects").read(), 0, set()
def walk(value):
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            walk(item)
    if isinstance(value, dict):
        seen.update(value)
while text[at:].strip():
    value, at = json.JSONDecoder().raw_decode(text, at)
    walk(value)
    at += 1
print("not in docs/json.md:",
      sorted(name for name in seen - known
             if name.removesuffix("_error") not in known))
print(len(seen) > 40)
END
python3 names.py "$SEENSET_TEST_ROOT/docs/json.md"
