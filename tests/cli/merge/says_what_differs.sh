seenset new a -n 1k -p 1e-6 --on-full degrade
seenset new b -n 2k -p 1e-6 --on-full degrade
seenset new c -n 1k -p 1e-6 --on-full degrade --layout bloom
seenset merge out a b
echo $?
seenset merge out a a c
echo $?
seenset merge b a
echo $?
seenset merge out a missing
echo $?
ls
seenset merge --force b a && cmp a b
