seenset help >help
seenset >bare
seenset --help >option
cmp help bare && cmp help option && cat help
