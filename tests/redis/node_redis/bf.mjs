/* node-redis's calls for Bloom filters, client.bf, unchanged: what each
 * resolves to or is rejected with, in both protocols. */
import assert from 'node:assert/strict';
import {asBytes, asMap, dump, inBoth, someItems} from './harness.mjs';

inBoth('bf_filter_is_made_and_asked', async ({bf}) => {
    assert.equal(await bf.reserve('f', 0.001, 1000), 'OK');
    assert.equal(await bf.add('f', 'x'), true);
    assert.equal(await bf.add('f', 'x'), false);
    assert.equal(await bf.exists('f', 'x'), true);
    assert.equal(await bf.exists('f', 'y'), false);
    assert.equal(await bf.exists('none', 'x'), false);
});

inBoth('bf_takes_many_items_or_one', async ({bf}) => {
    assert.deepEqual(await bf.mAdd('f', ['x', 'y', 'x']), [true, true, false]);
    assert.deepEqual(await bf.mExists('f', ['x', 'q', 'y']),
        [true, false, true]);
    assert.deepEqual(await bf.mAdd('f', 'z'), [true]);
    assert.deepEqual(await bf.mExists('f', 'z'), [true]);
});

inBoth('bf_has_the_names_of_the_commands_too', async ({bf}) => {
    assert.equal(await bf.RESERVE('f', 0.01, 100), 'OK');
    assert.equal(await bf.ADD('f', 'x'), true);
    assert.deepEqual(await bf.MADD('f', ['x', 'y']), [false, true]);
    assert.equal(await bf.EXISTS('f', 'y'), true);
    assert.deepEqual(await bf.MEXISTS('f', ['x', 'q']), [true, false]);
    assert.equal(await bf.CARD('f'), 2);
});

inBoth('bf_info_has_all_fields', async ({bf}) => {
    await bf.reserve('f', 0.01, 1000);
    await bf.mAdd('f', ['x', 'y']);
    const {Size: size, ...others} = await bf.info('f');
    assert.ok(size > 1000, `${size} bytes`);
    assert.deepEqual(others, {
        'Capacity': 1000,
        'Number of filters': 1,
        'Number of items inserted': 2,
        'Expansion rate': 2,
    });
});

inBoth('bf_info_is_a_map_where_that_is_asked', async (client) => {
    await client.bf.reserve('f', 0.01, 1000);
    const info = await client.withTypeMapping(asMap).bf.info('f');
    assert.ok(info instanceof Map);
    assert.equal(info.get('Capacity'), 1000);
    assert.equal(info.get('Expansion rate'), 2);
});

inBoth('bf_reserve_takes_its_options', async ({bf}) => {
    await bf.reserve('e', 0.01, 100, {EXPANSION: 4});
    assert.equal((await bf.info('e'))['Expansion rate'], 4);
    await bf.reserve('n', 0.01, 100, {NONSCALING: true});
    assert.equal((await bf.info('n'))['Expansion rate'], null);
    await assert.rejects(
        bf.reserve('b', 0.01, 100, {EXPANSION: 2, NONSCALING: true}),
        /Nonscaling filters cannot expand/);
});

inBoth('bf_insert_makes_a_filter', async ({bf}) => {
    assert.deepEqual(
        await bf.insert('i', ['a', 'b', 'a'],
            {CAPACITY: 500, ERROR: 0.001, EXPANSION: 3}),
        [true, true, false]);
    const info = await bf.info('i');
    assert.equal(info['Capacity'], 500);
    assert.equal(info['Number of items inserted'], 2);
    assert.equal(info['Expansion rate'], 3);
    assert.deepEqual(await bf.insert('n', 'a', {NONSCALING: true}), [true]);
    assert.equal((await bf.info('n'))['Expansion rate'], null);
});

inBoth('bf_insert_makes_none_where_told_so', async ({bf}) => {
    await assert.rejects(bf.insert('i', ['a'], {NOCREATE: true}), /not found/);
    assert.equal(await bf.exists('i', 'a'), false);
    await bf.reserve('i', 0.01, 100);
    assert.deepEqual(await bf.insert('i', ['a'], {NOCREATE: true}), [true]);
});

inBoth('bf_card_counts_items', async ({bf}) => {
    assert.equal(await bf.card('f'), 0);
    await bf.reserve('f', 0.0001, 1000);
    await bf.mAdd('f', someItems(100));
    await bf.mAdd('f', someItems(100));
    assert.equal(await bf.card('f'), 100);
});

inBoth('bf_filter_grows_or_is_full', async ({bf}) => {
    await bf.reserve('f', 0.001, 100);
    await bf.mAdd('f', someItems(1000));
    assert.ok((await bf.info('f'))['Number of filters'] > 1);
    assert.ok((await bf.mExists('f', someItems(1000))).every(Boolean));
    await bf.reserve('n', 0.001, 10, {NONSCALING: true});
    await bf.mAdd('n', someItems(10));
    await assert.rejects(bf.add('n', 'one more'),
        /[Nn]on.scaling filter is full/);
});

inBoth('bf_filter_is_dumped_and_loaded', async (client) => {
    const {bf} = client.withTypeMapping(asBytes);
    const items = someItems(3000);
    await bf.reserve('f', 0.001, 1000);
    await bf.mAdd('f', items);
    const chunks = await dump(bf, 'f');
    assert.ok(chunks.length > 1);
    for (const {iterator, chunk} of chunks)
        assert.equal(String(await bf.loadChunk('g', iterator, chunk)), 'OK');
    assert.ok((await bf.mExists('g', items)).every(Boolean));
    assert.equal(await bf.card('g'), await bf.card('f'));
    assert.deepEqual(await dump(bf, 'g'), chunks);
});

inBoth('bf_items_and_keys_may_be_bytes', async ({bf}) => {
    const key = Buffer.from([0xff, 0, 0x0a]);
    const item = Buffer.from([0, 0x0d, 0x0a, 0x80]);
    assert.equal(await bf.add(key, item), true);
    assert.equal(await bf.exists(key, item), true);
    assert.equal(await bf.exists(key, item.subarray(0, 3)), false);
    assert.equal(await bf.exists(key, ''), false);
});

inBoth('bf_calls_go_into_a_transaction', async (client) => {
    assert.deepEqual(
        await client.multi()
            .bf.reserve('f', 0.01, 100)
            .bf.add('f', 'x')
            .bf.mAdd('f', ['x', 'y'])
            .bf.exists('f', 'q')
            .bf.card('f')
            .exec(),
        ['OK', true, [false, true], false, 2]);
});

inBoth('bf_calls_at_once_are_all_answered', async ({bf}) => {
    const items = someItems(1000);
    await bf.reserve('f', 0.000001, 1000);
    const added = await Promise.all(items.map((item) => bf.add('f', item)));
    assert.ok(added.filter(Boolean).length > 990);
    const seen = await Promise.all(items.map((item) => bf.exists('f', item)));
    assert.ok(seen.every(Boolean));
});

inBoth('bf_refusals_reject_the_call', async (client) => {
    const {bf} = client;
    await client.set('s', '1');
    await assert.rejects(bf.add('s', 'x'), /WRONGTYPE/);
    await assert.rejects(bf.info('none'), /not found/);
    await bf.reserve('f', 0.01, 10);
    await assert.rejects(bf.reserve('f', 0.01, 10), /item exists/);
    await assert.rejects(bf.reserve('r', 2, 10), /error rate/);
    await assert.rejects(bf.loadChunk('g', 7, 'x'), /not found/);
    assert.equal(await client.ping(), 'PONG');
});
