# try.fish COMPLETIONS: what fish offers for each line of standard input.
source $argv[1]/seenset.fish
while read -l line
    set -l offered (complete -C $line | cut -f 1 | sort -u)
    echo "$line|$offered"
end
