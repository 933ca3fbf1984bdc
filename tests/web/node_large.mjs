/* Sets whose addresses are past 2 GiB, where WebAssembly's numbers are negative
 * in JavaScript; and the end of the memory, which is an error like any other. */
import assert from 'node:assert/strict';
import {freemem} from 'node:os';
import {test} from 'node:test';
import {load, refusal, someKeys} from './support/module.mjs';

const GIB = 2 ** 30;
const skip = freemem() < 5 * GIB && 'this machine has under 5 GiB free';

test('large_memory_past_2_gib_is_used', {skip}, async () => {
    const {SeenSet, memoryBytes, hash} = await load({}); // a memory of its own
    const keys = someKeys(2000);
    const large = [1, 2].map(() => new SeenSet({layout: 'bloom',
        sizeBits: 9 * GIB, hashCount: 3}));
    assert.ok(memoryBytes() > 2.2 * GIB);
    const set = new SeenSet({capacity: 5e6, fpRate: 1e-6});
    set.addMany(keys);
    set.add('x'.repeat(5000)); // a key of another place, up there as well
    assert.ok(set.hasMany(keys).every((answer) => answer === 1));
    const again = SeenSet.open(set.save());
    assert.deepEqual(again.save(), set.save());
    assert.equal(again.stats().addedItems, 2001);
    assert.equal(again.places('a').length,
        again.tableInfo(0).hashCount);
    const lines = again.lines();
    const piece = new TextEncoder().encode(`${keys[0]}\nnever\n`);
    assert.equal(new TextDecoder().decode(lines.push(piece)), 'never\n');
    lines.free();
    large[1].add('a');
    assert.deepEqual(large[1].places('a').length, 3);
    assert.equal(hash('hello'), 0x9555e8555c62dcfdn);
    // past the end of the 4 GiB
    refusal('SEENSET_ENOMEM', () => large[0].copy());
    assert.equal(large[1].has('a'), true);
    for (const made of [...large, set, again])
        made.free();
    const reused = new SeenSet({capacity: 1e8});
    assert.ok(memoryBytes() < 4 * GIB);
    reused.free();
});
