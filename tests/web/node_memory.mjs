/* The memory of a library, which grows and never shrinks: what is freed or
 * forgotten is used again, and neither results nor keys suffer when it grows. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {libraries, load, refusal, someKeys} from './support/module.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** The test in both builds. */
function inBoth(name, check) {
    for (const [build, library] of Object.entries(libraries))
        test(`${name}_${build}`, () => check(library));
}

inBoth('set_gives_back_what_it_took', ({SeenSet, memoryBytes}) => {
    const keys = someKeys(1000);
    const once = () => {
        const set = new SeenSet({capacity: 500000});
        set.addMany(keys);
        set.places('a');
        const again = SeenSet.open(set.save());
        const sealed = SeenSet.seal(keys);
        refusal('SEENSET_EINVAL', () => SeenSet.fromBits(set.save(), {}));
        for (const made of [set, again, sealed])
            made.free();
    };
    once();
    once();
    const before = memoryBytes();
    for (let i = 0; i < 60; i++)
        once();
    assert.equal(memoryBytes(), before);
});

inBoth('set_results_outlive_the_growth_of_memory', ({SeenSet, memoryBytes}) => {
    const set = new SeenSet();
    set.add('a');
    const bits = set.bits(0, 0, 4096);
    const file = set.save();
    const [firstBits, firstFile] = [bits.slice(), file.slice()];
    const before = memoryBytes();
    const large = new SeenSet({capacity: 3e7});
    large.addMany(someKeys(1000));
    assert.ok(memoryBytes() > before);
    assert.deepEqual(bits, firstBits);
    assert.deepEqual(file, firstFile);
    assert.equal(set.has('a'), true);
    assert.deepEqual(set.save(), firstFile);
    large.free();
    set.free();
});

/* The view of the room for a key ends when memory grows. */
inBoth('set_takes_keys_after_the_growth_of_memory', ({SeenSet, memoryBytes}) => {
    const set = new SeenSet();
    const long = 'abcdefghij'.repeat(8);
    const all = [];
    for (const key of ['', 'a', long, `${long}ü`, new Uint8Array(0),
        Buffer.from('a')]) {
        set.add(key);
        const before = memoryBytes();
        while (memoryBytes() === before)
            all.push(new SeenSet({layout: 'bloom', sizeBits: 1 << 27,
                hashCount: 1}));
        assert.equal(set.has(key), true);
        assert.equal(set.has('b'), false);
    }
    for (const made of [set, ...all])
        made.free();
});

/** Collects what is forgotten, and lets the registry free it. */
async function settle() {
    for (let i = 0; i < 3; i++) {
        collect();
        await new Promise((done) => setTimeout(done, 20));
    }
}

inBoth('set_that_is_forgotten_gives_its_space_back', async ({simd}) => {
    const {SeenSet, memoryBytes} = await load({simd}); // of its own
    const round = (keep) => {
        for (let i = 0; i < 500; i++)
            keep.push(new SeenSet({capacity: 1e5}));
        return memoryBytes();
    };
    const once = round([]);
    for (let i = 0; i < 4; i++) {
        await settle();
        assert.ok(round([]) < 1.5 * once);
    }
    // planted: sets that are kept take more
    const kept = [];
    await settle();
    round(kept);
    assert.ok(round(kept) > 1.5 * once);
    for (const set of kept)
        set.free();
});
