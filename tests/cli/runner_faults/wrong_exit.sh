seenset help >/dev/null
