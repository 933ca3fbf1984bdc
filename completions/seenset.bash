# bash completion of seenset: commands, options, layouts, file names.

_seenset_options()
{
    case $1 in
    dedup) echo "-n --capacity -p --rate --exact --on-full --normalise --strict --shard --audit --set --save-every --threads -0 --null -v --repeated -c --count --stats --window --sliding --keyed --secret-file -z --compressed --no-decompress -o --output --repeats-to --times --dry-run --exit-status --progress --no-progress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --time-field --time-jump --without-journal --wait" ;;
    new) echo "--format -n --capacity -p --rate -m -k --layout --counter-bits --on-full --window --sliding --window-tables --scheme --seed --seeds --units --bits --keyed --secret-file --audit --force --wait" ;;
    add) echo "--funnel --from --normalise --strict --shard --audit -0 --null --save-every --stats --secret-file -z --compressed --no-decompress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --time-field --time-jump --without-journal --wait" ;;
    has) echo "--funnel --block --from --normalise --strict --shard --audit --stats --annotate --row-groups -v --unseen -q --quiet -0 --null --secret-file -z --compressed --no-decompress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --time-field --time-jump --without-journal" ;;
    remove) echo "--from --normalise --strict --shard -0 --null --secret-file -z --compressed --no-decompress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --without-journal --wait" ;;
    count) echo "--from --normalise --strict --shard -0 --null --secret-file -z --compressed --no-decompress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --without-journal" ;;
    info) echo "--json --format --audit -v --verbose --bits --counters --force --picture --secret-file --without-journal" ;;
    check) echo "--json --secret-file --without-journal" ;;
    verify) echo "--without-journal" ;;
    compact) echo "--secret-file --without-journal --wait" ;;
    convert) echo "--format --force --without-journal --wait" ;;
    merge) echo "-p --rate --force --strict --secret-file --without-journal --wait" ;;
    intersect) echo "-p --rate --force --strict --secret-file --without-journal --wait" ;;
    overlap) echo "--json --secret-file --without-journal" ;;
    similarity) echo "--json --secret-file --without-journal" ;;
    diff) echo "--json --secret-file --without-journal" ;;
    seal) echo "--from --normalise --strict -p --rate -k -0 --null --seed --keyed --secret-file --force -z --compressed --no-decompress -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --wait" ;;
    plan) echo "-n --capacity -p --rate -m -k --layout --counter-bits --scheme --seed --seeds --units --grows-to --union --table --plot --json" ;;
    rekey) echo "--from --normalise --strict --shard -0 --null --partial --secret-file -z --compressed --no-decompress --force -f --field -d --delimiter --from-format --csv --no-header --missing --ignore-case --without-journal --wait" ;;
    rename) echo "--force --without-journal --wait" ;;
    "queue push") echo "-n --capacity -p --rate -m -k --on-full --normalise --window --sliding --layout --scheme --seed --seeds --units --exact --keyed --secret-file --durability --data --priority --again --seen-only -v --verbose --strict -z --compressed --no-decompress --wait --partitions --polite --from-start --per-host --by --host-budget --replicas --tls-ca --tls-cert --tls-key --tls-name" ;;
    "queue pop") echo "-n --count --ack --data --deliveries --host --json --lease --secret-file --wait --replicas --tls-ca --tls-cert --tls-key --tls-name" ;;
    "queue ack") echo "--again-after --secret-file --wait --replicas --tls-ca --tls-cert --tls-key --tls-name" ;;
    "queue nack") echo "--delay --untried --host-delay --after --to --secret-file --wait --replicas --tls-ca --tls-cert --tls-key --tls-name" ;;
    "queue forget") echo "-v --verbose --secret-file --wait" ;;
    "queue host") echo "--delay --block --budget --json --secret-file --wait" ;;
    "queue hosts") echo "-n --count --all --by --json --secret-file --wait" ;;
    "queue list") echo "-n --count --json --data --priority --secret-file" ;;
    "queue plan") echo "-n --capacity -p --rate --url-bytes --pending --leased --memory --json" ;;
    "queue peek") echo "--data --deliveries --host --json --secret-file --wait" ;;
    "queue export") echo "-n --count --data --priority --secret-file" ;;
    "queue stat") echo "--json --watch -n --count --secret-file --wait --tls-ca --tls-cert --tls-key --tls-name" ;;
    "queue verify") echo "--secret-file --wait" ;;
    "queue remake") echo "-n --capacity -p --rate -m -k --on-full --normalise --window --sliding --layout --scheme --seed --seeds --units --exact --keyed --secret-file --old-secret-file --from --forget-seen --polite --not-polite --from-start --per-host --by --host-budget -z --compressed --no-decompress --wait" ;;
    "queue delete") echo "--force --secret-file --wait" ;;
    "queue repair") echo "--secret-file --wait" ;;
    esac
}

_seenset()
{
    local commands="dedup new add has remove count info check verify"
    commands+=" compact merge intersect convert overlap similarity diff seal rekey rename plan queue help"
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    local words=
    [[ $command == queue ]] && command="queue ${COMP_WORDS[2]}"

    # --layout=bl comes as three words: --layout, = and bl.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        words="$commands --help --version"
    elif [[ $command == help ]]; then
        ((COMP_CWORD == 2)) && words=$commands
    elif [[ $command == queue* ]] && ((COMP_CWORD == 2)); then
        words="push pop ack nack forget host stat list hosts peek plan export verify repair"
        words+=" remake delete"
    else
        case $previous in
        --layout)
            words="blocked bloom"
            [[ $command == new ]] && words+=" counting fingerprint split_block"
            [[ $command == plan ]] && words+=" counting fingerprint sealed split_block"
            ;;
        --on-full)
            words="grow refuse degrade"
            [[ $command == new ]] && words="grow rotate refuse degrade"
            ;;
        --counter-bits) words="2 3 4 6 8 12 16" ;;
        --normalise) words="off url" ;;
        --from-format) words="columns csv json" ;;
        --missing) words="keep drop error" ;;
        --priority) words="0 1 2 3 4 5 6 7 8 9" ;;
        --durability) words="each interval none" ;;
        --scheme)
            words="murmur2a+fnv1a murmur2a+fnv1a-signed murmur3-128 polynomial"
            words+=" md5-divmod enhanced-double clickhouse-bloom clickhouse-tokenbf parquet dcso"
            words+=" guava-mitz-64 guava-mitz-32 bip37"
            ;;
        --units) words="8 16" ;;
        --funnel) words="utf8 utf16 bytes int long hex txid" ;;
        --format) words="text json prometheus" ;;
        --stats) words="text json" ;;
        --from | --to | --secret-file | --old-secret-file | --picture | --plot | -o | --output | --repeats-to)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
            ;;
        -n | -p | -m | -k | --threads | --times | --save-every | --window | --window-tables | \
            --capacity | --rate | --grows-to | --lease | --delay | --after | -f | --field | -d | --delimiter)
            return
            ;;
        *)
            if [[ $current == -* ]]; then
                words="$(_seenset_options "$command") --help"
            elif [[ $command != plan ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
                return
            fi
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _seenset seenset
