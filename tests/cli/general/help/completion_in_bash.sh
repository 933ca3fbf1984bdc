root=$SEENSET_TEST_ROOT
touch urls.txt
bash -s "$root" <<'BASH'
source "$1/completions/seenset.bash"
try()
{
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _seenset
    echo "${COMPREPLY[*]}"
}
try seenset ""
try seenset me
try seenset help v
try seenset dedup --s
try seenset new --layout = bl
try seenset dedup --normalise = u
try seenset new --on-full ""
try seenset info u
try seenset plan u
try seenset queue ""
try seenset queue push --d
try seenset queue push --on-full ""
try seenset queue push --normalise = u
try seenset queue pop --l
try seenset queue nack -
try seenset queue stat u
BASH
