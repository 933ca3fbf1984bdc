set -e
mkdir folder
seenset new folder/seen -n 100
ln -s folder/seen link
echo a | seenset dedup --set link
test -L link
seenset has folder/seen a
