# symbols.awk - from `nm -g -A -P OBJECT...` to what calls what.
#
#     -v want=calls     "FROM TO NAME": a function of the file TO that FROM
#                       calls, or hands on
#     -v want=alone     "FILE NAME": a function that no other file asks for
#
# A file is named as from the root of its sources, without ".c". A row of
# functions is data: to ask for one is not a call, so a row and its users are no
# circle.
{
    file = $1
    sub(/\.c\.o:$/, "", file)
    sub(/.*\.dir\//, "", file)
    sub(/^src\//, "", file)
    if ($3 == "U")
        uses[file, $2] = 1
    else if ($3 == "T" || $3 == "W")
        home[$2] = file
}
END {
    for (use in uses) {
        split(use, part, SUBSEP)
        if (!(part[2] in home) || home[part[2]] == part[1])
            continue
        is_asked_for[part[2]] = 1
        if (want == "calls")
            print part[1], home[part[2]], part[2]
    }
    for (name in home)
        if (want == "alone" && !(name in is_asked_for))
            print home[name], name
}
