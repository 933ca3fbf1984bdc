seenset new seen -n 1k -p 1e-6 --layout bloom && seenset add seen a b -- -x
seenset has seen a c b -- -x
echo $?
seenset has -v seen a c b
echo $?
seenset has seen c d
echo $?
seenset has -v seen a b
echo $?
seenset has -q seen c a
echo $?
seenset has -q -v seen a b
echo $?
