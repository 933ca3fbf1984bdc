# A field of CSV may be in quotes, and hold quotes, separators and newlines; its
# value is the key. The first line is a header.
cat >csv <<END
url,name,"a,b"
x,1,p
"x",2,p
"x""y",3,p
"x""y","4
5",p
"x,y",6,q
x"y,7,q
x"y,8,"q"
"x
y",9,q
END
echo "by name:"
seenset dedup --csv -f url csv
echo "by number:"
seenset dedup --csv -f 3 csv
echo "by a name with a comma, and another:"
seenset dedup --csv -f '"a,b",url' csv | wc -l
echo "a name that is a number:"
printf '2,1\nx,y\nx,z\n' | seenset dedup --csv -f '"2"'
echo "whole records, repeats:"
printf 'h\n"a\nb"\n"a\nb"\n"a\nc"\n' | seenset dedup --csv -v
echo "no header:"
printf 'a,b\na,c\n' | seenset dedup --csv --no-header -f 1
echo "CRLF, and a mark of UTF-8 before the header:"
printf '\357\273\277id,url\r\n1,x\r\n2,"x"\r\n3,x\n4,"x\r"\n' |
    seenset dedup --csv -f url | od -An -c
echo "no newline at the end:"
printf 'id,url\n1,x\n2,x' | seenset dedup --csv -f url
echo "semicolons:"
printf 'id;url\n1;"x;"\n2;x\n3;x;\n' | seenset dedup --csv -d ';' -f url
echo "NUL:"
printf 'id,url\0001,"x\0"\0002,"x\0"\0003,"x\n"\000' |
    seenset dedup --csv -0 -f url | tr '\0' '@'
echo
