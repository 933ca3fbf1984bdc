# The options in each command's help, in the man page and all completions.
root=$(cd "$(dirname "$0")/../.." && pwd)
count=0
sed 's/\\-/-/g; s/\\f[BIR]//g' "$root/docs/seenset.1" >manual
for command in dedup new add has info verify merge plan remove count intersect \
    similarity seal; do
    grep -q "^\.SS $command" manual || echo "manual: no $command"
    for option in $(seenset help $command | grep -o '^ .*' |
        grep -oE '(^| |, )--?[a-z0-9-]+' | tr -d ', ' | sort -u); do
        case $option in
        --help | --usage | --version) continue ;;
        esac
        count=$((count + 1))
        bare=${option#-}
        bare=${bare#-}
        grep -qE -e "[^a-z-]$option([^a-z-]|\$)" manual ||
            echo "manual: $command $option"
        grep -qE -e "$command\).*[\" ]${option}[\" ]" \
            "$root/completions/seenset.bash" || echo "bash: $command $option"
        grep -qE -e "__seenset_in [a-z ]*$command.*(-s|-l) $bare " \
            "$root/completions/seenset.fish" || echo "fish: $command $option"
        grep -q -e "${option}[,}=[]" "$root/completions/_seenset" ||
            echo "zsh: $command $option"
    done
done
[ $count -ge 25 ] && echo "$count options"
