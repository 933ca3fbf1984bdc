# needs: urls
# With --ignore-case A to Z are a to z in keys, and other letters are different.
# --normalise works on the field.
printf 'X\ta\nY\tA\nZ\t\303\204\nz\t\303\244\n' >tsv
echo "field:"
seenset dedup --ignore-case -f 2 tsv
echo "whole lines:"
printf 'one\nOne\nTWO\ntwo\n' | seenset dedup --ignore-case
echo "CSV:"
printf 'Url\na\n"A"\n' | seenset dedup --ignore-case --csv -f Url
echo "URLs:"
printf '1\thttp://A.example\n2\thttp://a.example/\n3\tno URL\n4\n' |
    seenset dedup -f 2 --normalise url 2>&1
echo "URLs in quotes:"
printf 'n,url\n1,http://A.example/a\n2,"http://a.example/A"\n' |
    seenset dedup --ignore-case --csv -f url --normalise url
