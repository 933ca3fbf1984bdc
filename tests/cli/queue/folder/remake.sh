# needs: urls
# remake DIR NEW: a queue of another size, rate, spelling or set, with all items
# of DIR; DIR stays as it is.
printf 'http://a.example/%s\tpage %s\n' 1 1 2 2 3 3 4 4 |
    seenset queue push --data -n 100 crawl
printf 'http://b.example/\tfirst\n' | seenset queue push --data --priority 5 crawl
seenset queue pop -n 2 crawl | head -n 1 | seenset queue ack crawl
seenset queue pop --lease 1000 crawl >popped
seenset queue list --data crawl | cut -f 2,4- >before
seenset queue remake -n 10k -p 1e-8 crawl larger
seenset queue list --data crawl | cut -f 2,4- | diff before - && echo 'crawl: as it was'
seenset queue list --data larger | cut -f 2,4-
seenset queue verify larger
seenset queue stat larger | grep -E '^(pending|leased|capacity) '
echo "a lease of the old queue: $(seenset queue ack larger <popped 2>&1)"
printf 'http://%s/\n' b.example a.example/1 c.example |
    seenset queue push -v larger
# Another spelling: only a list of URLs brings what was seen.
printf '%s\n' HTTP://One.example http://one.example/ 'no URL' http://done.example |
    seenset queue push words
seenset queue pop -n 1 words | seenset queue ack words
seenset queue remake --normalise url words urls
echo "nothing is forgotten: $?"
[ -e urls ] && echo "urls was made"
printf '%s\n' http://ONE.example mailto:x |
    seenset queue remake --normalise url --from - words urls
seenset queue export urls
echo http://one.example | seenset queue push -v urls
seenset queue remake --normalise url --forget-seen --window 30d words window
echo HTTP://one.example | seenset queue push -v window
printf 'http://One.example/\nhttp://one.example\nhttp://two.example' >list
gzip <list >list.gz
seenset queue push --normalise off two <list
seenset queue remake --normalise url --from list.gz two joined
seenset queue export joined
# What cannot be kept is said, and nothing is made.
for options in --exact '--layout bloom' --keyed '--scheme murmur3-128' \
    '--on-full refuse' '--window 5d'; do
    seenset queue remake $options words other 2>&1 | cut -d ';' -f 1
done
[ -e other ] || [ -e other.secret ] || echo "other was not made"
# An exact queue has the URLs themselves.
seenset queue push --exact exact <list
seenset queue pop -n 1 exact | seenset queue ack exact
seenset queue remake --layout bloom --normalise url exact bloom
seenset queue push -v bloom <list
seenset queue stat --json bloom | grep -o '"layout":"[a-z]*"'
# The secret goes along.
seenset queue push --keyed keyed <list
seenset queue remake -n 5000 keyed/ keyed2/
cmp keyed.secret keyed2.secret && seenset queue push -v keyed2 <list
seenset queue remake --keyed --from list two keyed3
seenset queue list keyed3 | wc -l
mv keyed.secret mine
seenset queue remake --secret-file mine keyed keyed4
ls -d keyed4*
# What is refused.
seenset queue remake two two
seenset queue remake two joined
seenset queue remake two missing/deep
seenset queue remake missing new
seenset queue remake --from missing two new
seenset queue remake --on-full refuse -n 2 --forget-seen two new
mkdir papers
echo mine >papers/draft
seenset queue remake two papers
seenset queue remake --from two/MANIFEST -z two new
flock two/LOCK -c 'seenset queue remake --wait=0 two new'
[ -e new ] || echo "new was not made"
for bad in '' two 'two new more' '--exact --keyed two new' \
    '--sliding two new'; do
    seenset queue remake $bad 2>&1 | head -n 1
done
