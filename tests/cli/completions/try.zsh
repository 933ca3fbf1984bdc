# try.zsh COMPLETIONS: what zsh offers for each line of standard input.
#
# Completion runs only where somebody types, so a second zsh gets a terminal.
# Its key ^T lists what there is, as <TAB> does, and keeps every word that goes
# by in a file; ^U takes the line away. Marks are printed as sums, so that what
# is typed does not look like them.
zmodload zsh/zpty || exit 77
kept=$(mktemp)

zpty typist zsh -f -i
zpty -w typist "fpath=(${(q)1} \$fpath)
    autoload -Uz compinit && compinit -u -D
    stty columns 200 rows 100
    compadd() {
        local -a found
        builtin compadd -O found \"\$@\"
        (( \$#found )) && print -rl -- \$found >>$kept
        builtin compadd \"\$@\"
    }
    keep() { _main_complete; print \"list\$((20 + 3))\" }
    zle -C keep list-choices keep
    bindkey '^T' keep
    bindkey '^U' kill-whole-line
    print ready\$((20 + 3))"
zpty -r typist seen '*ready23*'

while IFS= read -r line; do
    : >$kept
    zpty -n -w typist $'\x15'$line$'\x14'
    zpty -r typist seen '*list23*'
    print -r -- "$line|$(sort -u $kept | tr '\n' ' ' | sed 's/ $//')"
done
zpty -d typist
rm -f $kept
