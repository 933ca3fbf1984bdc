# seal takes the fields of lines, also where the set needs the keys themselves.
printf 'n,url\n1,"x,y"\n2,"q""q"\n3\n' >one.csv
printf 'url,n\nz,1\n' >two.csv
for option in --force --seed=7; do
    seenset seal s --csv -f url $option one.csv two.csv 2>&1
    seenset has s 'x,y' 'q"q' z url n 1
    rm s
done
printf 'a\tb\n' >tsv
seenset seal s --keyed -f 2,1 tsv
seenset has s '1:b,1:a,' '1:a,1:b,'
echo "an error:"
seenset seal t --csv -f url --missing=error one.csv 2>&1
echo "status $?"
[ ! -e t ] && echo "no set"
seenset seal t --csv -f nothing one.csv 2>&1
