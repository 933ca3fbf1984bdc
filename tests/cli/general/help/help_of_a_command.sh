# needs: speed
set -e
for command in dedup new add has info check verify merge plan remove count intersect similarity seal; do
    seenset help $command | head -n 1
    seenset $command --help >long
    seenset help $command | cmp - long
done
