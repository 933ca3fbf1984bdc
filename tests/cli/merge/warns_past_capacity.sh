# A union of full sets keeps every key, and says what that costs.
for name in a b; do
    seenset new $name -n 10 --layout bloom --on-full degrade
    seq 10 | sed "s/^/$name/" | seenset add $name
done
seenset merge both a b
for name in a b; do
    seq 10 | sed "s/^/$name/" | seenset has -v both || echo all of $name
done
seenset info both | grep added | cut -d '(' -f 2
