# block.sh - the C example of README.md; to be sourced. $source is where it is.

# block LANGUAGE: the first such block at or after the first ```c block.
block() {
    awk -v opening="\`\`\`$1" '
        $0 == "```c" { reached = 1 }
        inside && $0 == "```" { exit }
        inside { print }
        reached && $0 == opening { inside = 1 }' "$source/README.md"
}
