seenset help >help
seenset >bare
seenset --help >option
cmp help bare && cmp help option && cat help
# Its subcommands are listed in the same way.
seenset queue >bare && seenset queue --help | cmp - bare
