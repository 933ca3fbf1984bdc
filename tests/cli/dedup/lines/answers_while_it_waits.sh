# A line must come out before the next one goes in.
mkfifo to from
seenset dedup <to >from &
exec 3>to 4<from
for word in one two two three; do
    echo $word >&3
    [ "$word" = two ] && [ "$last" = two ] && continue
    last=$word
    read -r answer <&4
    echo "$answer"
done
exec 3>&-
wait $!
