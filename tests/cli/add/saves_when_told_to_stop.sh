# As dedup: what was read is saved, and the command ends by the signal. It
# prints nothing, so a save says that it has read.
mkfifo in
seenset new seen -n 1k
env --default-signal seenset add --save-every 1keys seen <in &
exec 3>in
printf 'one\nhal' >&3
until seenset has -q seen one; do sleep 0.01; done
kill -TERM $!
wait $! 2>/dev/null
echo $?
exec 3>&-
seenset has seen one hal
ls
