# seal takes the fields of lines, also where the set needs the keys themselves.
printf 'n,url\n1,"x,y"\n2,"q""q"\n3\n' >one.csv
printf 'url,n\nz,1\n' >two.csv
for option in --force --seed=7; do
    seenset seal s --csv -f url $option one.csv two.csv 2>&1
    seenset has s 'x,y' 'q"q' z url n 1
    rm s
done
printf 'a\tb\n' >tsv
# Of a secret at random: one in 256 would be a false positive in some run.
seenset seal s --keyed -p 1e-9 -f 2,1 tsv 2>/dev/null # other rates do it too
seenset has s '1:b,1:a,' '1:a,1:b,'
echo "an error:"
seenset seal t --csv -f url --missing=error one.csv 2>&1
echo "status $?"
[ ! -e t ] && echo "no set"
seenset seal t --csv -f nothing one.csv 2>&1
