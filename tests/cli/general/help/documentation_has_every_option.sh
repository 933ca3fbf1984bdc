# needs: speed
# The options in each command's help, in the man page and all completions.
root=$SEENSET_TEST_ROOT
count=0
sed 's/\\-/-/g; s/\\f[BIR]//g' "$root"/docs/man/seenset*.1 >manual

# check COMMAND IN_BASH IN_FISH: the command's help is standard input. The
# patterns are what stands before its options in these completions.
check()
{
    for option in $(grep -o '^ .*' | grep -oE '(^| |, )--?[a-z0-9-]+' |
        tr -d ', ' | sort -u); do
        case $option in
        --help | --usage | --version) continue ;;
        esac
        count=$((count + 1))
        bare=${option#-}
        bare=${bare#-}
        grep -qE -e "[^a-z-]$option([^a-z-]|\$)" manual ||
            echo "manual: $1 $option"
        grep -qE -e "$2\).*[\" ]${option}[\" ]" \
            "$root/completions/seenset.bash" || echo "bash: $1 $option"
        grep -qE -e "$3 [a-z ]*${1#queue }.*(-s|-l) $bare " \
            "$root/completions/seenset.fish" || echo "fish: $1 $option"
        grep -q -e "${option}[,}=[]" "$root/completions/_seenset" ||
            echo "zsh: $1 $option"
    done
}

for command in dedup new add has info check verify merge plan remove count intersect \
    overlap similarity diff seal rekey rename; do
    [ -s "$root/docs/man/seenset-$command.1" ] || echo "manual: no $command"
    seenset help $command >help
    check "$command" "$command" __seenset_in <help
done
for command in push pop ack nack stat verify repair; do
    seenset queue $command --help >help
    check "queue $command" "\"queue $command\"" __seenset_in_queue <help
done
[ $count -ge 25 ] && echo "$count options"
