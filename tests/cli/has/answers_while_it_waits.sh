seenset new seen -n 10 && seenset add seen a b
mkfifo to from
seenset has seen <to >from &
exec 3>to 4<from
for word in a b a; do
    echo $word >&3
    read -r answer <&4
    echo "$answer"
done
exec 3>&-
wait $!
