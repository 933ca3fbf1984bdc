# needs: png, limits
# A plot that does not fit leaves the old file, and nothing beside it.
seenset plan --plot rate.svg
seenset plan --plot=rate.png -n 1G -p 1e-6
cp rate.svg old.svg
cp rate.png old.png
(
    ulimit -f 1
    seenset plan --plot rate.png
    echo $?
    seenset plan --plot rate.svg -p 2%
    echo $?
) | cat
cmp old.svg rate.svg
cmp old.png rate.png
ls -A
