# needs: glibc
# Two names of one file share a lock, also where the file is not there yet,
# and a link that leads to nothing is followed by the save, not replaced.
mkdir folder other
ln -s folder/first chain
ln -s ../chain other/chain
ln -s "$PWD/folder/first" absolute
for name in chain other/chain absolute folder/first other/../folder/first; do
    echo a | flock folder/first.lock seenset dedup --set $name
    echo $?
    seenset new $name 2>&1
    [ -f folder/first ] && [ ! -L folder/first ] && rm folder/first
    ls -A folder other
done
[ -L chain ] && [ -L other/chain ] && [ -L absolute ] && echo links
# The secret of a keyed set is found through either name.
ln -s folder/keyed keyed
echo a | seenset dedup --keyed --set keyed
echo a | seenset dedup --set folder/keyed
ls folder
ln -s loop loop
echo a | seenset dedup --set loop
echo $?
