# A name is bytes; JSON is UTF-8, and what is not becomes U+FFFD.
path()
{
    seenset new "$1"
    seenset info --json "$1" | grep '"path"'
}
path 'a"b\c'
path "$(printf 'tab\there')"
path "$(printf 'del\177')"
path "$(printf '\303\251 \342\202\254 \360\237\230\200')"
path "$(printf 'cut\303')"
path "$(printf 'cut\342\202')"
path "$(printf 'cut\360\237\230')"
path "$(printf 'alone\200')"
path "$(printf 'long\300\257')"
path "$(printf 'long\340\200\257')"
path "$(printf 'long\360\200\200\257')"
path "$(printf 'half\355\240\200')"
path "$(printf 'past\364\220\200\200')"
path "$(printf 'past\365\200\200\200')"
path "$(printf 'mixed\303x')"
