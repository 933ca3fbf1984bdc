seenset dedup -n 1000T -p 1e-3 </dev/null
echo $?
seenset dedup -n 1G -p 1e-18 </dev/null
echo $?
