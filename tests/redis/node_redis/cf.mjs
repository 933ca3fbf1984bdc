/* node-redis's calls for cuckoo filters, client.cf, unchanged: what each
 * resolves to or is rejected with, in both protocols. */
import assert from 'node:assert/strict';
import {asBytes, asMap, dump, inBoth, someItems} from './harness.mjs';

inBoth('cf_filter_is_made_and_asked', async ({cf}) => {
    assert.equal(await cf.reserve('f', 1000), 'OK');
    assert.equal(await cf.add('f', 'x'), true);
    assert.equal(await cf.add('f', 'x'), true);
    assert.equal(await cf.count('f', 'x'), 2);
    assert.equal(await cf.exists('f', 'x'), true);
    assert.equal(await cf.exists('f', 'y'), false);
    assert.deepEqual(await cf.mExists('f', ['x', 'y']), [true, false]);
});

inBoth('cf_items_are_taken_out', async ({cf}) => {
    await cf.add('f', 'x');
    await cf.add('f', 'x');
    assert.equal(await cf.del('f', 'x'), true);
    assert.equal(await cf.count('f', 'x'), 1);
    assert.equal(await cf.del('f', 'x'), true);
    assert.equal(await cf.del('f', 'x'), false);
    assert.equal(await cf.exists('f', 'x'), false);
});

inBoth('cf_adds_what_is_not_there', async ({cf}) => {
    assert.equal(await cf.addNX('f', 'x'), true);
    assert.equal(await cf.addNX('f', 'x'), false);
    assert.equal(await cf.count('f', 'x'), 1);
    const added = await cf.insertNX('f', ['x', 'y']);
    assert.deepEqual(added.map(Number), [0, 1]);
});

inBoth('cf_has_the_names_of_the_commands_too', async ({cf}) => {
    assert.equal(await cf.RESERVE('f', 100), 'OK');
    assert.equal(await cf.ADD('f', 'x'), true);
    assert.equal(await cf.ADDNX('f', 'x'), false);
    assert.equal(await cf.EXISTS('f', 'x'), true);
    assert.equal(await cf.COUNT('f', 'x'), 1);
    assert.equal(await cf.DEL('f', 'x'), true);
    assert.deepEqual(await cf.INSERT('f', 'y'), [true]);
    assert.deepEqual(await cf.MEXISTS('f', ['x', 'y']), [false, true]);
});

inBoth('cf_insert_makes_a_filter_or_does_not', async ({cf}) => {
    assert.deepEqual(await cf.insert('i', ['a', 'b'], {CAPACITY: 500}),
        [true, true]);
    assert.deepEqual(await cf.mExists('i', ['a', 'b', 'c']),
        [true, true, false]);
    await assert.rejects(cf.insert('none', ['a'], {NOCREATE: true}),
        /not found/);
    await assert.rejects(cf.insertNX('none', ['a'], {NOCREATE: true}),
        /not found/);
    assert.deepEqual(await cf.insert('i', 'c', {NOCREATE: true}), [true]);
});

inBoth('cf_reserve_takes_its_options', async ({cf}) => {
    await cf.reserve('f', 1024,
        {BUCKETSIZE: 4, MAXITERATIONS: 30, EXPANSION: 2});
    const info = await cf.info('f');
    assert.equal(info['Bucket size'], 4);
    assert.equal(info['Max iterations'], 30);
    assert.equal(info['Expansion rate'], 2);
});

inBoth('cf_info_has_all_fields', async (client) => {
    const {cf} = client;
    await cf.reserve('f', 1000, {BUCKETSIZE: 2});
    await cf.insert('f', ['x', 'y', 'z']);
    await cf.del('f', 'z');
    const {Size: size, ...others} = await cf.info('f');
    assert.ok(size > 1000, `${size} bytes`);
    assert.deepEqual(others, {
        'Number of buckets': 512,
        'Number of filters': 1,
        'Number of items inserted': 2,
        'Number of items deleted': 1,
        'Bucket size': 2,
        'Expansion rate': 1,
        'Max iterations': 20,
    });
    const map = await client.withTypeMapping(asMap).cf.info('f');
    assert.equal(map.get('Number of buckets'), 512);
});

inBoth('cf_filter_is_dumped_and_loaded', async (client) => {
    const {cf} = client.withTypeMapping(asBytes);
    const items = someItems(1000);
    await cf.reserve('f', 2000);
    await cf.insert('f', items);
    const chunks = await dump(cf, 'f');
    assert.ok(chunks.length > 1);
    for (const {iterator, chunk} of chunks)
        assert.equal(String(await cf.loadChunk('g', iterator, chunk)), 'OK');
    assert.ok((await cf.mExists('g', items)).every(Boolean));
    assert.equal(await cf.del('g', items[0]), true);
});

inBoth('cf_calls_go_into_a_transaction', async (client) => {
    assert.deepEqual(
        await client.multi()
            .cf.add('f', 'x')
            .cf.addNX('f', 'x')
            .cf.count('f', 'x')
            .cf.del('f', 'x')
            .cf.exists('f', 'x')
            .exec(),
        [true, false, 1, true, false]);
});

inBoth('cf_refusals_reject_the_call', async (client) => {
    const {cf} = client;
    await client.set('s', '1');
    await assert.rejects(cf.add('s', 'x'), /WRONGTYPE/);
    await assert.rejects(cf.info('none'), /not found/);
    await assert.rejects(cf.del('none', 'x'), /[Nn]ot found/);
    await cf.reserve('f', 100);
    await assert.rejects(cf.reserve('f', 100), /item exists/);
    assert.equal(await client.ping(), 'PONG');
});
