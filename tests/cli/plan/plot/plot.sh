# needs: png
# A curve of the rate, in characters, as SVG and as PNG.
seenset plan --plot -n 1M -p 1%
script -qec 'stty columns 50; seenset plan --plot --layout sealed' /dev/null |
    tr -d '\r' | awk '{ if (length > most) most = length } END { print most }'
seenset plan --plot rate.svg
seenset plan --plot=rate.png -n 1G -p 1e-6
head -c 24 rate.png | od -An -tx1

# The SVG is well formed, as far as its tags are, and each curve meets the
# promise at the capacity and is right where the textbook says.
check()
{
    perl -0777 -e '
    my $text = <>;
    my @open;
    while ($text =~ /<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<&]*"|\s)*)(\/?)>([^<]*)/g) {
        my ($end, $name, $closed, $inside) = ($1, $2, $4, $5);
        if ($end) { print "not $name\n" if pop @open ne $name }
        elsif (!$closed) { push @open, $name }
        die "text: $inside" if $inside =~ /[&>]/;
        $length += length $&;
    }
    print "open: @open\n" if @open;
    print "not all of it is tags\n" if $length != length $text;
    my @curves = $text =~ /stroke-width="2.5"[^>]*points="([^" ]+ [^" ]+ [^"]+)"/g;
    print scalar @curves, " curves\n";
    # y of a power of ten, from the labels
    my ($top) = $text =~ /y="([\d.]+)"[^>]*>1</;
    my ($next) = $text =~ /y="([\d.]+)"[^>]*>0.1</;
    for my $curve (@curves) {
        my @points = map { [split /,/] } split / /, $curve;
        my ($left, $right) = (70, 696);
        for my $point (@points) {
            my $n = ($point->[0] - $left) / ($right - $left) * 2e6;
            my $rate = 10 ** (($top - 4 - $point->[1]) / ($next - $top));
            my ($m, $k) = (9593000, 7);
            my $book = (1 - exp(-$k * $n / $m)) ** $k;
            # the blocked layout has more bits, and rises more slowly
            print "$n keys: $rate, not $book\n"
                if $rate > $book * 1.35 || $rate < $book * 0.7;
        }
        my $most = @points > 150 ? "long" : "short";
        print "$most\n";
    }' "$1"
}
check rate.svg
# Planted: the plot of another rate, and one with a tag that is not closed.
seenset plan --plot other.svg -p 2%
check other.svg | grep -q 'keys: .*, not ' && echo found
sed 's/<title>/<title><b>/' rate.svg >open.svg
check open.svg | grep -c -e ^not -e ^open
rm other.svg open.svg
sed -n 's,.*>\([^<]*\)</text>,\1,p' rate.svg | tr '\n' ';'
echo

# A file that exists is replaced whole, or stays; a set stays.
echo old >old.svg
seenset plan --plot old.svg && cmp old.svg rate.svg
seenset new seen.svg
cp seen.svg copy
seenset plan --plot seen.svg
echo $?
cmp seen.svg copy
seenset plan --plot no/rate.svg
seenset plan --plot no/rate.png
ln -s old.svg link.svg
seenset plan -n 5M --plot link.svg && cmp -s old.svg rate.svg
[ -L link.svg ] && echo "$?"
mkfifo pipe.svg
seenset plan --plot pipe.svg &
cmp rate.svg pipe.svg && echo "through a pipe"
wait
ls
for options in "x" "--plot x" "--plot=a.svg b.svg" "--plot --json" \
    "--plot -m 1MB" "--plot -p 2" "--plot=.svg"; do
    # shellcheck disable=SC2086  # several words
    seenset plan $options 2>&1 | head -n 1
done
