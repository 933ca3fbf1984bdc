# needs: compressed, alone
# Each byte of a small file is changed, and the file is cut at each byte: what
# comes out is the whole text, or an error. Of what was cut off a part of the
# text comes before the error. (Of damage too, but a wrong line may be in it: the
# checksum that shows it is at the end.)
seq 12 >text
cat >harm.pl <<'END'
# harm.pl COMMAND FILE: prints what a reader lets pass.
my ($command, $file) = @ARGV;
sub slurp { local (@ARGV, $/) = @_; my $text = <>; return $text // ''; }
my ($whole, $text) = (slurp($file), slurp('text'));
my $passed = 0;
sub check {
    my ($name, $bytes) = @_;
    open my $to, '>', 'harmed'; print $to $bytes; close $to;
    my $out = `$command <harmed 2>error`;
    my ($status, $said) = ($? >> 8, slurp('error'));
    my $is_whole = $status == 0 && $out eq $text && $said eq '';
    my $is_part = $name !~ /cut/ || index($text, $out) == 0;
    my $is_error = $status == 2 && $is_part &&
        $said =~ /^seenset: standard input: .*(byte \d|not compressed|MiB)/;
    $passed++ unless $is_whole || $is_error;
}
for (my $at = 0; $at < length($whole); $at += $ENV{SEENSET_TEST_STEP}) {
    check("cut $at", substr($whole, 0, $at));
    for my $bits (1, 0x80) {
        my $bytes = $whole;
        substr($bytes, $at, 1) ^= chr $bits;
        check("byte $at", $bytes);
    }
}
print "$file: $passed passed\n";
END
for tool in gzip zstd xz; do
    $tool -c text >text.$tool
    perl harm.pl 'seenset dedup -z -n 100 --threads 1' text.$tool
done
# A reader that overlooks damage is found.
perl harm.pl 'gzip -dc 2>&- | seenset dedup -n 100 --threads 1' text.gzip |
    grep -c ': 0 passed'
[ $? = 1 ]
