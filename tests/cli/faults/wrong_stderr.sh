seenset no-such-command
