# SIGUSR1 is answered while the input waits, and while nothing reads the output;
# it harms nothing. (It is sent again until the answer is in the file.)
ask()
{
    until grep -q "$2" error; do
        kill -USR1 "$1"
        sleep 0.1
    done
}
mkfifo in
: >out
: >error
seenset dedup <in >out 2>error &
exec 3>in
printf 'a\nb\na\nb\n' >&3
until [ "$(wc -l <out)" = 2 ]; do sleep 0.01; done
ask $! lines
head -n 1 error | sed 's/, [^,]*\/s/, some speed/'
exec 3>&-
wait $!
echo $?
# Of a file, how much is left.
seq 1000000 >lines
mkfifo stuck
seenset dedup --no-progress lines 2>error >stuck &
exec 3<stuck
read -r line <&3
ask $! 'left$'
grep -c 'left$' error | sed 's/[1-9][0-9]*/some/'
cat <&3 >rest
wait $!
echo $?
