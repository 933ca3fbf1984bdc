# Figures that cannot be true together, in files whose checksums are right.
golden=$SEENSET_TEST_GOLDEN
for name in bad/claims-many-keys bad/claims-few-keys v3-bloom v1-blocked; do
    seenset info "$golden/$name.seenset" >figures
    echo $?
done
# Past capacity, keys are dropped and bits run full: that is not one.
seenset new seen -n 1000 -p 0.01 --on-full degrade
seq 5000 | seenset add seen 2>/dev/null
seenset info seen | grep -c '^added'
