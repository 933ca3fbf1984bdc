# The journal has hashes under the secret; folding it needs the secret.
set -e
seenset new seen -n 4M --keyed
seenset add seen one
test -s seen.log
mv seen.secret elsewhere
seenset compact seen || echo $?
seenset compact --secret-file elsewhere seen
test ! -e seen.log
seenset has --secret-file elsewhere seen one two
