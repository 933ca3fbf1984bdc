# The keys of a seed are those that the manual describes: here they are made by
# another program and added, and the audit meets them.
perl -e '
    sub product { use integer; return $_[0] * $_[1] }
    sub plus { use integer; return $_[0] + $_[1] }
    sub mix {
        my $v = $_[0];
        $v = product($v ^ ($v >> 30), 0xBF58476D1CE4E5B9);
        $v = product($v ^ ($v >> 27), 0x94D049BB133111EB);
        return $v ^ (($v >> 31) & 0x1FFFFFFFF);
    }
    no warnings; # numbers over 2^32
    my $state = 7;
    sub next_of { my $s = \$_[0]; $$s = plus($$s, 0x9E3779B97F4A7C15);
        return mix($$s & 0xFFFFFFFFFFFFFFFF) }
    my $inner = next_of($state);
    for (1 .. 50000) {
        my $key = pack("Q<2", next_of($inner), next_of($inner));
        print $key, "\n" unless $key =~ /\n/;
    }' >keys
seenset new seen -n 100k -p 1e-6
seenset add seen <keys
seen=$(seenset info --audit=7 --json seen |
    sed -n 's/.*"seen_count": \([0-9]*\).*/\1/p')
[ "$seen" -eq "$(wc -l <keys)" ] || echo "$seen of $(wc -l <keys) were met"
seenset info --audit=7 seen | sed -n '/^audit/,$p'
# Another seed, other keys, the same each time.
seenset info --audit=8 seen | sed -n '/^audit/,$p'
seenset info --audit seen >first
seed=$(sed -n 's/^  seed *//p' first)
seenset info --audit="$seed" seen | cmp - first
# Two seeds that are left to chance differ.
seenset info --audit seen | cmp -s - first && echo "the same seed"
seenset info --audit=8 --json seen | sed -n '/audit/s/: [0-9.e-]*,/: N,/gp'
# Wilson's interval ends where the rate measured is 1.96 standard errors of that
# rate away: found here by halving, not by his formula.
seenset info --audit=7 --json seen | perl -ne '
    next unless /"key_count": (\d+), "seen_count": (\d+).*"low": ([^,]+), "high": ([^,]+),/;
    my ($n, $p, @ends) = ($1, $2 / $1, $3, $4);
    for my $end (0, 1) {
        my ($in, $out) = ($p, $end);
        for (1 .. 200) {
            my $q = ($in + $out) / 2;
            my $away = abs($p - $q) / sqrt($q * (1 - $q) / $n);
            ($away < 1.959963984540054 ? $in : $out) = $q;
        }
        print abs($in / $ends[$end] - 1) < 1e-9 ? "end $end\n" : "not $in\n";
    }'
