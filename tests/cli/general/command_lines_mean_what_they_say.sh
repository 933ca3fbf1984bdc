# needs: speed png
# Hostile command lines: each is done as it reads, or refused, or what it was
# taken for is said. A row is the exit status, a pattern of the first line on
# standard error (nothing: silence) and the words. What is refused has changed
# no file; so has a row that asks (has, count, info, verify, plan).
set -f
printf '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n' >lines
mkdir folder
: >empty
{
    seenset new set -n 1k
    seenset add set 1 2
    seenset new counting -n 1k --layout counting
    seenset add counting 1
    seenset new bloom -n 1k --layout bloom --on-full degrade
    seenset seal sealed lines
} || exit 1
cp set set.kept
cp counting counting.kept

# What is in this folder, in one line.
state()
{
    set +f
    cksum ./* ./.[!.]* 2>/dev/null | grep -v -e '/out$' -e '/err$' |
        cksum
    set -f
}

# try STATUS PATTERN WORDS: says what is not as the row has it.
try()
{
    rm -rf fresh fresh.secret fresh.png
    cp set.kept set
    cp counting.kept counting
    : >empty
    before=$(state)
    eval "seenset $3" >out 2>err </dev/null
    status=$?
    said=$(head -n 1 err)
    [ $status = "$1" ] || echo "seenset $3: status $status, not $1: $said"
    # shellcheck disable=SC2254 # a pattern
    case $said in
    $2) ;;
    *) echo "seenset $3: said '$said', not '$2'" ;;
    esac
    [ $status != 2 ] || [ "$(state)" = "$before" ] ||
        echo "seenset $3: refused, and yet files changed"
}

rows=0
while IFS='|' read -r status pattern words; do
    try "$status" "$pattern" "$words"
    rows=$((rows + 1))
done <<'TABLE'
2|?*|dedup -n
2|seenset dedup: -n '0': it must be at least 1|dedup -n 0
2|seenset dedup: -p '0': it must be between 0 and 1|dedup -p 0
2|seenset dedup: -p '1': it must be between 0 and 1|dedup -p 1
2|seenset dedup: -p '100%': it must be between 0 and 1|dedup -p 100%
2|seenset dedup: -p '1': it must be between 0 and 1|dedup -p 1 -p 1
2|seenset dedup: -n is given twice, as '5' and '6'; leave one out|dedup -n 5 -n 6
0||dedup -n 5 -n 5
2|?*|dedup --set
2|seenset: folder: not a file; is it the right name\?|dedup --set folder
2|seenset: folder/: not a file; is it the right name\?|dedup --set folder/
2|?*|dedup --set lines
2|seenset: set: a set file, not lines of text; 'seenset info' shows it, 'seenset merge' joins it to another; the set was not saved|dedup --set set lines set
2|?*|dedup --set lines lines
2|?*|dedup --set nofolder/set
2|?*|dedup --set set --window 5s
2|?*|dedup --set set --keyed
0||dedup --set sealed
0||dedup --set counting
2|seenset dedup: -p '1': it must be between 0 and 1|dedup --set set -p 1
2|seenset: /dev/null: not a file; is it the right name\?|dedup --set /dev/null
2|?*|dedup --set set -- -n
2|seenset dedup: --set '': its FILE is empty|dedup --set=
2|seenset dedup: --set takes a FILE, and '-n' is an option; write --set=-n if it is meant|dedup --set -n 5
2|seenset dedup: --window '0': it must be at least 1|dedup --window 0
2|seenset dedup: --window is given twice, as '5' and '5s'; leave one out|dedup --window 5 --window 5s
2|seenset dedup: --window is given twice, as '24h' and '86400s'; leave one out|dedup --window=24h --window 86400s
2|seenset dedup: unrecognized option '--windo'; did you mean --window\?|dedup --windo 5
2|seenset dedup: unrecognized option '--windows'; did you mean --window\?|dedup --windows 5
2|seenset dedup: -c prints only counts, and -v only lines|dedup -c -v
0||dedup -vv lines
0||dedup -c -c lines
2|seenset dedup: -c prints only counts, and -v only lines|dedup --count --repeated
2|?*|dedup --count=5 lines
0|*"line_count": 11*|dedup --stats=json lines
2|?*|dedup --threads
2|?*|dedup --threads -1
2|?*|dedup --threads 1.5
2|?*|dedup --threads all
2|seenset dedup: --threads '1000': it must be at most 64|dedup --threads 1000
2|?*|dedup --null=x
0||dedup --keyed --keyed
2|?*|dedup --keyed=secret
2|?*|dedup --secret-file s
2|?*|dedup --set fresh --secret-file missing
2|?*|dedup --set fresh --secret-file lines
2|seenset: folder: not a file; a secret is 32 hexadecimal digits in a file|dedup --set fresh --keyed --secret-file folder
2|seenset dedup: unrecognized option '-set'; did you mean --set\?|dedup -set fresh
2|?*|dedup folder
2|?*|dedup missing
2|?*|dedup lines missing
0||dedup -
0||dedup - -
2|?*|dedup ''
0||dedup -n5 lines
2|?*|dedup -n=5 lines
2|?*|dedup -n -5
0||dedup -p .5 lines
2|seenset dedup: -p '5': it must be between 0 and 1|dedup -p 5 lines
2|?*|dedup -p 0.5%% lines
2|seenset dedup: unrecognized option '--n'|dedup --n 5
0||dedup --rate 1% lines
2|seenset dedup: unrecognized option '--chance'|dedup --chance 1%
2|?*|dedup --help=x
2|seenset dedup: unrecognized option '--usag'; did you mean --usage\?|dedup --usag
0||dedup -h
0||seal -h
0||queue pop -h
2|seenset dedup: unrecognized option '--limit'; '*head -n N' prints the first N|dedup --limit 3
2|seenset dedup: unrecognized option '--sep'; --delimiter is the byte between two fields|dedup --sep ,
2|seenset dedup: invalid option -- 'i'; did you mean --ignore-case?|dedup -i
2|seenset: queue pusch: no such subcommand; did you mean push? 'seenset queue --help' lists them|queue pusch q
0||dedup -V
2|seenset dedup: unrecognized option '--ver'; did you mean --version\?|dedup --ver
2|seenset dedup: unrecognized option '--no-set'|dedup --no-set
0||dedup --
2|?*|new
2|seenset new: the name of FILE is empty|new ''
2|seenset: folder: exists already; --force replaces it|new folder
2|seenset: folder/: exists already; --force replaces it|new folder/
2|seenset: lines: exists already; --force replaces it|new lines
2|seenset: set: exists already; --force replaces it|new set
2|?*|new empty2 empty3
2|?*|new nofolder/x
2|seenset new: -n is given twice, as '10' and '10k'; leave one out|new -n 10 -n 10k fresh
0||new -m 1kB -n 10 fresh
0||new -m 1kB -n 10 -p 1% fresh
2|seenset new: -k of the blocked layout is 8, 16 or 24; --layout bloom takes any up to 255|new -m 1kB -k 3 fresh
0||new -m 1kB -p 1% fresh
2|seenset new: -k of the blocked layout is 8, 16 or 24; --layout bloom takes any up to 255|new -k 3 -n 10 fresh
2|seenset new: -k of the blocked layout is 8, 16 or 24; --layout bloom takes any up to 255|new -m 1kB -n 10 -k 3 -p 1% fresh
0||new -m 1b fresh
2|seenset new: -m '0': it must be at least 1|new -m 0 fresh
2|seenset new: -k '0': it must be at least 1|new -k 0 fresh
2|seenset new: -k '256': it must be at most 255|new -k 256 fresh
2|seenset new: -k of the blocked layout is 8, 16 or 24; --layout bloom takes any up to 255|new -k 255 fresh
2|?*|new -k 2.5 fresh
2|seenset new: --layout 'Bloom': it must be blocked, bloom, counting, fingerprint or split_block|new --layout Bloom fresh
2|seenset new: --layout 'block': it must be blocked, bloom, counting, fingerprint or split_block|new --layout block fresh
2|seenset new: --layout is given twice, as 'blocked' and 'bloom'; leave one out|new --layout blocked --layout bloom fresh
2|?*|new --layout sealed fresh
2|seenset new: --layout '': its L is empty|new --layout '' fresh
2|seenset new: --counter-bits must be 2 to 16: *|new --counter-bits 1 --layout counting fresh
2|?*|new --counter-bits 4 fresh
2|seenset new: --counter-bits '0': it must be at least 1|new --counter-bits 0 --layout counting fresh
0||new --counter-bits 4 --layout counting fresh
2|seenset new: --counter-bits '4b': bytes, or billions\? a count takes k, M, G (two billion: 2G), T, Ki, Mi, Gi or Ti|new --counter-bits 4b --layout counting fresh
2|seenset new: --counter-bits '32': it must be at most 16|new --counter-bits 32 --layout counting fresh
2|seenset new: --on-full 'GROW': it must be grow, rotate, refuse or degrade|new --on-full GROW fresh
2|?*|new --on-full grow --layout counting fresh
2|?*|new --on-full grow --window 5s fresh
0||new --on-full rotate --window 5s -n 10 fresh
0||new --on-full rotate fresh
2|seenset new: --window-tables must be at least 2|new --on-full rotate --window-tables 1 fresh
2|seenset new: --window-tables '65': it must be at most 64|new --on-full rotate --window-tables 65 fresh
2|?*|new --window-tables 4 fresh
2|?*|new --window 5 -n 5 fresh
0|seenset: fresh: --window 3 remembers the last 3 keys; a time needs a unit (3s); 3keys avoids this message|new --window 3 --window-tables 64 fresh
0||new --window 5s fresh
0||new --scheme chain fresh
0||new --scheme polynomial fresh
2|seenset new: --scheme polynomial takes -m of a power of two bits, such as 64Kibits, and -k of 7 at most, or of the number of --seeds|new --scheme polynomial -m 9585058b fresh
2|*takes -m of a power of two bits*|new --scheme polynomial --seeds 31,131 -k 3 fresh
0||new --scheme polynomial --seeds 31,131 --units 16 -k 2 fresh
2|*--seeds and --units are for --scheme polynomial|new --seeds 31 fresh
2|*--seeds and --units are for --scheme polynomial|new --scheme md5-divmod --units 16 fresh
2|*--seeds '31,': it must be up to 255 numbers*|new --scheme polynomial --seeds 31, fresh
2|*--seeds '4294967296': it must be*|new --scheme polynomial --seeds 4294967296 fresh
2|*--seeds '-1': it must be*|new --scheme polynomial --seeds=-1 fresh
2|*--units '32': it must be 8 (bytes) or 16 (UTF-16 units)|new --scheme polynomial --units 32 fresh
0||new --seed 18446744073709551615 fresh
0||new --seed 0x5eed --layout bloom fresh
2|*--seed '18446744073709551616': it must be a number*|new --seed 18446744073709551616 fresh
2|*--seed '7x': it must be a number*|new --seed 7x fresh
2|*--seed: this scheme has none|new --scheme md5-divmod --seed 7 fresh
2|*--seed: this scheme has none|new --scheme polynomial --seed 7 fresh
2|*--seed: a scheme of MurmurHash takes one below 2^32|new --scheme murmur3-128 --seed 4294967296 fresh
2|*hashed with a --seed or under a secret, not both|new --seed 7 --keyed fresh
0||new --scheme clickhouse-bloom fresh
2|*-m must be whole bytes*|new --scheme clickhouse-bloom -m 1001b fresh
2|*--bits needs -k*|new --bits nothing fresh
2|?*|new --scheme polynomial --keyed fresh
2|?*|new --scheme polynomial --layout blocked fresh
2|?*|new --keyed --secret-file lines fresh
2|?*|new --secret-file lines fresh
2|?*|new --secret-file missing fresh
2|seenset: fresh: the set and its secret are two files; give --secret-file another name|new --keyed --secret-file fresh fresh
2|seenset: fresh: the set and its secret are two files; give --secret-file another name|new --secret-file fresh --keyed fresh
0||new --force --force fresh
2|?*|new --force folder
2|?*|new -n 1e400 fresh
2|seenset new: -n '9007199254740993': it must be at most 2^53|new -n 9007199254740993 fresh
2|?*|new -n 1T -p 1e-9 fresh
2|?*|new -p 1e-300 fresh
2|seenset new: unrecognized option '--stats'|new --stats fresh
2|seenset new: unrecognized option '--json'|new --json fresh
2|?*|add
2|?*|add missing 1
2|seenset: folder: not a file; is it the right name\?|add folder 1
2|?*|add lines 1
2|seenset: empty: empty, and not a set yet; remove it or run 'seenset new' to begin one, or restore it from a copy if it was one|add empty 1
2|?*|add sealed 1
2|?*|add set -n 5
2|?*|add set -1
0||add set -- -1
0||add set ''
0|seenset: 'lines' is a file, and is taken as a key; --from lines reads its lines; -- before the KEYs avoids this message|add set lines
0||add set folder
0|seenset: './lines' is a file, and is taken as a key; --from ./lines reads its lines; -- before the KEYs avoids this message|add set ./lines
0|seenset: '-' is standard input elsewhere, and is taken as a key; --from - reads its lines; -- before the KEYs avoids this message|add set -
2|?*|add set --from
2|?*|add set --from missing
2|?*|add set --from folder
2|seenset: set: a set file, not lines of text; 'seenset info' shows it, 'seenset merge' joins it to another|add set --from set
2|seenset add: '1' is a KEY, and --from says that keys are lines of lines; leave one out|add set --from lines 1
2|seenset add: '1' is a KEY, and --from says that keys are lines of lines; leave one out|add set 1 --from lines
2|seenset add: --from is given twice, as 'lines' and 'empty'; leave one out|add set --from lines --from empty
0||add set --from lines --from lines
2|?*|add --from lines
0||add --from=lines set
2|seenset add: unrecognized option '--fro'; did you mean --from or --from-format\?|add --fro lines set
2|seenset add: unrecognized option '--stat'; did you mean --stats\?|add set --stat 1
0|seenset: 'set' is a file, and is taken as a key; --from set reads its lines; -- before the KEYs avoids this message|add set set
2|?*|add set --secret-file lines 1
2|?*|has
2|?*|has missing 1
1||has set -qv 1
1|seenset: 'lines' is a file, and is taken as a key; --from lines reads its lines; -- before the KEYs avoids this message|has set lines
1||has set -- lines
0||has set --from lines
1||has set --from -
1||has set --from /dev/null
1||has set --unseen --quiet 1
2|seenset has: unrecognized option '--seen'|has set --seen 1
2|seenset: folder: not a file; is it the right name\?|has folder 1
2|seenset: empty: empty, and not a set yet; remove it or run 'seenset new' to begin one, or restore it from a copy if it was one|has empty 1
2|?*|has lines 1
2|?*|has set --secret-file lines 1
2|?*|count set 1
1|seenset: 'lines' is a file, and is taken as a key; --from lines reads its lines; -- before the KEYs avoids this message|count counting lines
0||count counting --from lines
2|?*|remove set 1
1|seenset: 'lines' is a file, and is taken as a key; --from lines reads its lines; -- before the KEYs avoids this message|remove counting lines
1|?*|remove counting --from lines
1|?*|remove counting 77
2|?*|info
0||info set -v bloom
0||info set bloom
2|seenset: folder: not a file; is it the right name\?|info folder
2|?*|info lines
2|seenset: empty: empty, and not a set yet; remove it or run 'seenset new' to begin one, or restore it from a copy if it was one|info empty
2|seenset info: --json, --bits, --counters and --picture: one at a time, or --counters and --picture|info set --json --bits
2|seenset info: --json, --bits, --counters and --picture: one at a time, or --counters and --picture|info bloom --json --bits
2|seenset info: --json, --bits, --counters and --picture: one at a time, or --counters and --picture|info bloom --picture fresh.png --json
2|seenset info: --json, --bits, --counters and --picture: one at a time, or --counters and --picture|info bloom --picture fresh.png --bits
0||info bloom --bits -v
0||info counting --counters
0||info counting --counters --picture fresh.png
2|seenset: bloom: not a counting set; *|info bloom --counters
2|seenset info: --json, --bits, *|info counting --counters --bits
0||info bloom --force
2|?*|info bloom --picture folder
2|?*|info bloom --picture nofolder/x
2|seenset: bloom: is a set file, and a picture does not replace it; give --picture another name|info bloom --picture bloom
2|seenset info: --picture '': its PNG is empty|info bloom --picture ''
2|?*|info --secret-file lines bloom
2|?*|verify
2|seenset: folder: not a file; is it the right name\?|verify folder
2|?*|verify set lines
2|seenset: empty: empty, and not a set yet; remove it or run 'seenset new' to begin one, or restore it from a copy if it was one|verify empty
2|seenset verify: unrecognized option '--json'|verify --json set
2|?*|verify ''
2|?*|merge
2|?*|merge fresh
0||merge fresh set set
2|?*|merge fresh set lines
2|?*|merge fresh set bloom
2|seenset: lines: exists already and is not one of the inputs; name it again to keep what it has, or --force to replace it|merge lines set
2|seenset: folder: exists already and is not one of the inputs; name it again to keep what it has, or --force to replace it|merge folder set
0||merge empty set
2|?*|merge fresh missing
2|?*|merge set
2|?*|merge --force
2|?*|intersect fresh bloom
0||intersect fresh bloom bloom
2|?*|intersect fresh set counting
2|?*|similarity set
0||similarity bloom bloom
2|?*|similarity bloom lines
2|?*|similarity bloom set
2|?*|similarity bloom bloom bloom
2|?*|seal
2|seenset: lines: exists already; --force replaces it|seal lines
2|seenset: set: a set file, not lines of text; 'seenset info' shows it, 'seenset merge' joins it to another|seal fresh set
0||seal fresh lines lines
2|seenset seal: --from names one FILE, and 'lines' is another; give all of them as arguments|seal fresh --from lines lines
0||seal fresh --from lines
2|?*|seal fresh folder
2|?*|seal fresh missing
0||seal fresh empty
2|seenset seal: -k '5': it must be 3 or 4|seal fresh -k 5 lines
2|?*|seal fresh -p 1e-12 lines
2|seenset seal: -p '1': it must be between 0 and 1|seal fresh -p 1 lines
2|?*|seal fresh -n 5 lines
2|?*|seal fresh -m 1kB lines
2|seenset: set: exists already; --force replaces it|seal set lines
2|seenset: set: cannot be both the set and its keys; the first argument is the set's file|seal --force set set
2|seenset: lines: cannot be both the set and its keys; the first argument is the set's file|seal --force lines lines
2|?*|seal --secret-file lines fresh lines
2|seenset plan: -n '2B': bytes, or billions\? a count takes k, M, G (two billion: 2G), T, Ki, Mi, Gi or Ti|plan -n 2B
0||plan -n 1G -m 1GB
2|?*|plan -n 1G -m 1GB -p 1%
2|?*|plan -n 1G -m 1GB -p 1% -k 3
0||plan -n 1G -p 1% -k 3
0||plan -m 1GB -k 7
0||plan -k 7
2|seenset plan: -k of the blocked layout is 8, 16 or 24; --layout bloom takes any up to 255|plan -k 3 --layout blocked
0||plan -k 3 --layout sealed
2|seenset plan: -k of a sealed set is 3 or 4|plan -k 5 --layout sealed
2|?*|plan -m 1GB --layout sealed
0||plan --layout counting
0||plan --layout counting --counter-bits 16
2|seenset plan: --counter-bits must be 2 to 16: *|plan --layout counting --counter-bits 1
2|seenset plan: --counter-bits is for --layout counting|plan --layout bloom --counter-bits 8
2|seenset plan: --counter-bits is not for --table or --plot: *|plan --layout counting --counter-bits 8 --table
2|seenset info: --audit is not for --bits, --counters and --picture|info counting --counters --audit
2|seenset plan: --layout 'rotate': it must be blocked, bloom, counting, fingerprint, sealed or split_block|plan --layout rotate
2|seenset plan: -p '1': it must be between 0 and 1|plan -p 1
2|seenset plan: -p '0': it must be between 0 and 1|plan -p 0
0||plan -n 1 -p 0.999
2|?*|plan 5
2|?*|plan -n 5 5
0||plan --json --json
2|seenset plan: unrecognized option '--jso'; did you mean --json\?|plan --jso
2|?*|plan lines
2|?*|plan -n 9007199254740992 -p 1e-9
0||plan -m 1b -p 1e-9
2|?*|help frob
2|?*|help queue frob
2|seenset: help dedup: one COMMAND at a time, not also '--help'|help dedup --help
0||--help dedup
2|?*|--help --version
2|seenset: version takes no argument, not 'x'|version x
2|seenset: -V takes no argument, not 'x'|-V x
2|?*|frob
2|?*|ded
2|?*|Dedup
2|?*|''
2|?*|-n 5
2|?*|--set x
0||queue
0||queue --help push
2|?*|queue frob
2|?*|queue push
2|?*|queue push ''
2|?*|queue push folder/x/y
2|?*|queue push lines
2|?*|queue push set
2|seenset queue push: -n '2B': bytes, or billions\? a count takes k, M, G (two billion: 2G), T, Ki, Mi, Gi or Ti|queue push fresh -n 2B
2|seenset queue push: -n is given twice, as '5' and '6'; leave one out|queue push fresh -n 5 -n 6
2|seenset queue push: unrecognized option '--normal'; did you mean --normalise\?|queue push fresh --normal url
2|?*|queue push fresh --normalise URL
2|?*|queue push fresh --normalise
2|seenset queue push: one DIR only|queue push fresh extra
2|seenset queue push: --on-full 'rotate': it must be grow, degrade or refuse|queue push fresh --on-full rotate
2|?*|queue push fresh --durability Each
2|?*|queue pop
2|?*|queue pop missing
2|?*|queue pop folder
2|seenset queue pop: -n '0': it must be at least 1|queue pop missing -n 0
2|?*|queue pop missing --lease 5m
2|?*|queue pop missing --lease -5
2|?*|queue pop missing --ack=1
2|?*|queue pop missing --ack --lease 5
2|*one DIR only*|queue pop missing extra
2|?*|queue pop missing --wait=
2|seenset queue pop: --wait takes seconds, 0 to 1e9, or a time such as 90s, 15m (minutes), 24h, 7d or 2w, not 'long'|queue pop missing --wait=long
2|?*|queue ack
2|?*|queue ack missing x
2|?*|queue nack missing 1 --delay
2|?*|queue nack missing 1 --delay x
2|?*|queue stat
2|?*|queue stat missing
2|seenset queue stat: unrecognized option '--js'; did you mean --json\?|queue stat missing --js
2|seenset queue verify: unrecognized option '--json'|queue verify missing --json
2|seenset queue repair: unrecognized option '--force'|queue repair missing --force
2|?*|dedup lines --set
2|*unrecognized option '--program-name'*|dedup --program-name=x lines
2|*unrecognized option '--HANG'*|dedup --HANG=1 lines
2|*unrecognized option '--'*|dedup --=x lines
2|*did you mean --window or --window-tables?|new --windo 5 fresh
2|*did you mean --secret-file?|add --secret lines set 1
2|*did you mean --normalise?|queue push fresh --normalize url
2|*unrecognized option '-force'; did you mean --force?|new -force fresh
2|*-p is given twice, as '1%' and '2%'*|new -p1% -p 2% fresh
2|*-n is given twice*|queue pop missing -n 5 --count 6
0||new -p1% -n100 -p 1% fresh
0||dedup -0vn5 lines
2|*--secret-file takes a S, and '--force' is an option; write --secret-file=--force*|new --secret-file --force fresh
2|*--from takes a LINES, and '-0' is an option*|add set --from -0 lines
0|*'/dev/null' is a file, and is taken as a key*|add set /dev/null
1||has -- set lines
0||add set http://example.com/ a/b
0||remove counting -- 1
2|*a set file, not lines of text*|has set --from sealed
2|*a set file, not lines of text*|remove counting --from counting
2|*a set file, not lines of text*|dedup lines set
0||new -k 8 fresh
0||new --layout bloom -k 3 -n 10 fresh
2|*murmur2a+fnv1a sets 2 bits*|new --scheme murmur2a+fnv1a -m 1kB -k 3 fresh
0||new --scheme murmur2a+fnv1a -n 1k fresh
2|seenset: deup: no such command; did you mean dedup\? 'seenset help' lists them|deup lines
2|seenset: sael: no such command; did you mean seal\? 'seenset help' lists them|sael fresh lines
2|seenset: in: no such command; did you mean info or intersect\? 'seenset help' lists them|in set
2|seenset: x: no such command; 'seenset help' lists them|x
2|*unrecognized option '--hel'; did you mean --help?|dedup --hel
2|*unrecognized option '--hel'; did you mean --help?|new --hel
2|*unrecognized option '--hel'; did you mean --help?|add --hel
2|*unrecognized option '--hel'; did you mean --help?|has --hel
2|*unrecognized option '--hel'; did you mean --help?|remove --hel
2|*unrecognized option '--hel'; did you mean --help?|count --hel
2|*unrecognized option '--hel'; did you mean --help?|info --hel
2|*unrecognized option '--hel'; did you mean --help?|verify --hel
2|*unrecognized option '--hel'; did you mean --help?|merge --hel
2|*unrecognized option '--hel'; did you mean --help?|intersect --hel
2|*unrecognized option '--hel'; did you mean --help?|similarity --hel
2|*unrecognized option '--hel'; did you mean --help?|seal --hel
2|*unrecognized option '--hel'; did you mean --help?|plan --hel
2|*unrecognized option '--hel'; did you mean --help?|queue push --hel
2|*unrecognized option '--hel'; did you mean --help?|queue pop --hel
2|*unrecognized option '--hel'; did you mean --help?|queue ack --hel
2|*unrecognized option '--hel'; did you mean --help?|queue nack --hel
2|*unrecognized option '--hel'; did you mean --help?|queue stat --hel
2|*unrecognized option '--hel'; did you mean --help?|queue verify --hel
2|*unrecognized option '--hel'; did you mean --help?|queue repair --hel
TABLE

# The judge sees a status, words and a change that are not as they should be.
try 0 '' 'new --key fresh'
try 2 '*' 'new fresh'
try 2 '*changed*' "plan -n 2B; echo >>lines; sh -c 'exit 2'"
tests=$SEENSET_TEST_ROOT/tests/cli/general
[ $rows = "$(grep -c '^[012]|' $tests/command_lines_mean_what_they_say.sh)" ] ||
    echo "$rows rows only"
