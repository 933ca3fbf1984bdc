/* Every call of a set, in both builds of the module: what it answers, what it
 * refuses and in which words. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import path from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {inspect} from 'node:util';
import {asBatch, libraries, load, moduleFolder, refusal, seenset, someKeys}
    from './support/module.mjs';

/** The test in both builds. */
function inBoth(name, check) {
    for (const [build, library] of Object.entries(libraries))
        test(`${name}_${build}`, () => check(library));
}

test('set_builds_are_what_was_asked_for', async () => {
    assert.equal(libraries.simd.simd, true);
    assert.equal(libraries.plain.simd, false);
    assert.equal((await load()).simd, true);
    assert.equal(await load(), await load(), 'one instance for all');
    assert.notEqual((await load({})).SeenSet, (await load()).SeenSet);
    const wasm = readFileSync(path.join(moduleFolder, 'seenset-plain.wasm'));
    assert.equal((await load({wasm, simd: false})).hash(''),
        0x2d06800538d394c2n);
});

test('set_build_is_chosen_in_a_folder', async () => {
    const folder = new URL(`${pathToFileURL(moduleFolder)}/`);
    for (const wasm of [folder, folder.href]) {
        assert.equal((await load({wasm})).simd, true);
        assert.equal((await load({wasm, simd: false})).simd, false);
    }
    await assert.rejects(load({wasm: 'file:///nowhere/', simd: false}),
        /nowhere\/seenset-plain.wasm/);
});

/* A host that knows the type has it compiled while it comes. */
for (const type of ['application/wasm', 'application/octet-stream'])
    test(`set_module_comes_as_${type.replace(/\W/g, '_')}`, async () => {
        const bytes = readFileSync(path.join(moduleFolder, 'seenset.wasm'));
        const host = createServer((request, response) => {
            const isThere = request.url === '/seenset.wasm';
            response.writeHead(isThere ? 200 : 404, {'Content-Type': type});
            response.end(isThere ? bytes : '');
        });
        await new Promise((done) => host.listen(0, '127.0.0.1', done));
        const wasm = `http://127.0.0.1:${host.address().port}/`;
        try {
            const {hash} = await load({wasm});
            assert.equal(hash(''), 0x2d06800538d394c2n);
            await assert.rejects(load({wasm, simd: false}),
                /seenset-plain.wasm/);
        } finally {
            host.close();
            host.closeAllConnections();
        }
    });

test('set_module_that_is_not_there_is_named', async () => {
    await assert.rejects(load({wasm: 'file:///nowhere.wasm'}), /nowhere/);
    await assert.rejects(load({wasm: new Uint8Array(8)}));
    const nothing = 'http://127.0.0.1:1/seenset.wasm'; // a host that is not there
    await assert.rejects(load({wasm: nothing}), ({errorName, message}) =>
        errorName === 'SEENSET_EIO' && message.includes(nothing));
});

inBoth('set_answers', ({SeenSet}) => {
    const set = new SeenSet();
    assert.equal(set.add('a'), true);
    assert.equal(set.add('a'), false);
    assert.equal(set.has('a'), true);
    assert.equal(set.has('b'), false);
    assert.equal(set.add(''), true);
    assert.equal(set.has(new Uint8Array(0)), true);
    assert.equal(set.add('ü€😀'), true);
    assert.equal(set.has(new TextEncoder().encode('ü€😀')), true);
    const long = 'x'.repeat(100000);
    assert.equal(set.add(long), true);
    assert.equal(set.has(Buffer.from(long)), true);
    assert.equal(set.info().addedItems, 4);
    set.free();
});

inBoth('set_hash_is_xxh3', ({hash}) => {
    assert.equal(hash(''), 0x2d06800538d394c2n);
    assert.equal(hash('hello'), 0x9555e8555c62dcfdn);
    assert.equal(hash(Buffer.from('hello')), 0x9555e8555c62dcfdn);
});

inBoth('set_batches_answer_as_single_keys_do', ({SeenSet}) => {
    const keys = someKeys(70000); // several pieces
    const twice = [...keys, ...keys.slice(0, 100)];
    for (const layout of ['blocked', 'bloom', 'counting', 'split_block'])
        for (const batch of [twice, asBatch(twice),
            twice.map((key) => Buffer.from(key))]) {
            const options = {layout, capacity: 100000, fpRate: 1e-6};
            const [one, many] = [new SeenSet(options), new SeenSet(options)];
            const wanted = twice.map((key) => Number(one.add(key)));
            assert.deepEqual([...many.addMany(batch)], wanted);
            assert.deepEqual(many.save(), one.save());
            assert.ok(many.hasMany(batch).every((answer) => answer === 1));
            assert.ok(many.hasMany(someKeys(1000, 9)).every((answer) =>
                answer === 0));
            one.free();
            many.free();
        }
});

inBoth('set_batch_may_begin_anywhere', ({SeenSet}) => {
    const {data, offsets} = asBatch(someKeys(50));
    const moved = new Uint8Array(data.length + 5);
    moved.set(data, 5);
    const [a, b] = [new SeenSet(), new SeenSet()];
    a.addMany({data, offsets});
    b.addMany({data: moved, offsets: offsets.map((offset) => offset + 5)});
    assert.deepEqual(a.save(), b.save());
    const big = [new Uint8Array(3 << 20).fill(7), 'after'];
    assert.deepEqual([...a.addMany(big)], [1, 1]);
    assert.deepEqual([...a.hasMany(asBatch(big))], [1, 1]);
    assert.equal(a.addMany([]).length, 0);
    a.free();
    b.free();
});

inBoth('set_batch_that_is_not_one_is_refused', ({SeenSet}) => {
    const set = new SeenSet();
    const data = new Uint8Array(4);
    for (const [batch, words] of [
        [{data, offsets: Uint32Array.of(0, 3, 2)}, /offsets\[2\] is below/],
        [{data, offsets: Uint32Array.of(0, 5)}, /after the end of data/],
        [{data, offsets: new Uint32Array(0)}, /one number more/],
        [{data, offsets: [0, 1]}, /A batch is/],
        [null, /A batch is/],
        [['a', 5], /A key is a string or a Uint8Array/]])
        assert.match(refusal('SEENSET_EINVAL', () =>
            set.addMany(batch)).message, words);
    assert.match(refusal('SEENSET_EINVAL', () => set.add(5)).message,
        /A key is/);
    set.free();
});

inBoth('set_that_refuses_says_which', ({SeenSet}) => {
    const set = new SeenSet({capacity: 100, onFull: 'refuse'});
    const answers = set.addMany(someKeys(300));
    assert.equal(answers.filter((answer) => answer === 1).length, 100);
    assert.ok(answers.includes(2));
    const full = refusal('SEENSET_EFULL', () => set.add('one more'));
    assert.equal(full.code, -5);
    assert.match(full.message, /^The set is at its capacity.*larger capacity/);
    assert.equal(set.info().isAtCapacity, true);
    set.free();
});

inBoth('set_counts_and_removes', ({SeenSet}) => {
    const set = new SeenSet({layout: 'counting', capacity: 1000});
    for (let i = 0; i < 3; i++)
        set.add('a');
    assert.equal(set.count('a'), 3);
    assert.equal(set.remove('a'), true);
    assert.equal(set.count('a'), 2);
    assert.equal(set.count('b'), 0);
    assert.equal(set.remove('b'), false);
    const counters = set.counters(0, 0, set.tableInfo(0).cellCount);
    assert.ok(counters instanceof Uint16Array);
    assert.deepEqual(set.places('a').map((place) => counters[place]),
        set.places('a').map(() => 2));
    const other = new SeenSet();
    refusal('SEENSET_EUNSUPPORTED', () => other.remove('a'));
    refusal('SEENSET_EUNSUPPORTED', () => other.count('a'));
    refusal('SEENSET_EUNSUPPORTED', () => other.counters(0, 0, 1));
    set.free();
    other.free();
});

inBoth('set_places_are_the_bits_of_a_key', ({SeenSet}) => {
    const secret = Uint8Array.from({length: 16}, (_, i) => i);
    for (const options of [{}, {layout: 'bloom'}, {layout: 'split_block'},
        {layout: 'counting', counterBits: 5}, {seed: 12345678901234567890n},
        {layout: 'bloom', scheme: 'md5-divmod'}, {secret},
        {layout: 'bloom', scheme: 'polynomial', unitBits: 16},
        {onFull: 'rotate'}]) {
        const set = new SeenSet({capacity: 2000, ...options});
        for (const key of someKeys(50)) {
            set.add(key);
            const table = set.info().tableCount - 1;
            const {cellCount, hashCount} = set.tableInfo(table);
            const bits = set.bits(table, 0, cellCount);
            const places = set.places(key);
            assert.ok(places.length > 0 && places.length <= hashCount);
            assert.deepEqual(places, [...places].sort((a, b) => a - b));
            assert.ok(places.every((place) => bits[place] === 1));
            assert.equal(set.countCells(table, 0, cellCount),
                bits.reduce((sum, bit) => sum + bit, 0));
        }
        set.free();
    }
    const sealed = SeenSet.seal(['a']);
    refusal('SEENSET_EUNSUPPORTED', () => sealed.places('a'));
    sealed.free();
});

inBoth('set_grows_and_forgets', ({SeenSet}) => {
    const grown = new SeenSet({capacity: 100, fpRate: 1e-4});
    grown.addMany(someKeys(5000));
    assert.equal(grown.info().tableCount, 2);
    assert.deepEqual([0, 1].map((i) => grown.tableInfo(i).layout),
        ['blocked', 'expandable']);
    refusal('SEENSET_EUNSUPPORTED', () => grown.places('a'));
    assert.ok(grown.estimate().currentFpRate <= 1.1e-4);
    assert.ok(Math.abs(grown.stats().estimatedItems - 5000) < 100);
    assert.equal(grown.places('a', 0).length > 0, true);
    refusal('SEENSET_EINVAL', () => grown.tableInfo(99));
    const window = new SeenSet({onFull: 'rotate', capacity: 100});
    window.addMany(someKeys(1000));
    assert.equal(window.has(someKeys(1)[0]), false);
    grown.clear();
    assert.equal(grown.info().addedItems, 0);
    assert.equal(grown.info().tableCount, 1);
    grown.free();
    window.free();
});

inBoth('set_is_told_how_many_keys_to_expect', ({SeenSet}) => {
    const [told, untold] = [1, 2].map(() => new SeenSet({capacity: 1000}));
    told.expect(50000);
    for (const set of [told, untold])
        set.addMany(someKeys(50000));
    assert.ok(told.hasMany(someKeys(50000)).every(Boolean));
    assert.deepEqual([0, 1].map((i) => told.tableInfo(i).layout),
        ['blocked', 'blocked']);
    assert.ok(told.stats().sizeBits < untold.stats().sizeBits);
    const fixed = new SeenSet({onFull: 'refuse', capacity: 9});
    refusal('SEENSET_EUNSUPPORTED', () => fixed.expect(1));
    for (const wrong of [-1, 1.5, 2 ** 54, NaN, '7', undefined])
        refusal('SEENSET_EINVAL', () => told.expect(wrong));
    [told, untold, fixed].forEach((set) => set.free());
});

inBoth('set_copies_and_compares', ({SeenSet}) => {
    const options = {layout: 'bloom', sizeBits: 1 << 17, hashCount: 5};
    const [a, b] = [new SeenSet(options), new SeenSet(options)];
    a.addMany(someKeys(1000));
    b.addMany(someKeys(1000).slice(500));
    assert.equal(a.isSuperset(b), true);
    assert.equal(b.isSuperset(a), false);
    const {jaccard, unionItems, intersectionItems} = a.overlap(b);
    assert.ok(Math.abs(jaccard - 0.5) < 0.05, `${jaccard}`);
    assert.ok(Math.abs(unionItems - 1000) < 50, `${unionItems}`);
    assert.ok(Math.abs(intersectionItems - 500) < 50, `${intersectionItems}`);
    const copy = a.copy();
    copy.add('only here');
    assert.equal(a.has('only here'), false);
    const other = new SeenSet();
    refusal('SEENSET_EMISMATCH', () => a.merge(other));
    refusal('SEENSET_EINVAL', () => a.merge({}));
    for (const set of [a, b, copy, other])
        set.free();
});

inBoth('set_unions_keep_their_laws', ({SeenSet}) => {
    const [a, b] = [new SeenSet({capacity: 1000}),
        new SeenSet({capacity: 1000})];
    a.addMany(someKeys(20000));
    b.addMany(someKeys(30000).slice(10000));
    const either = a.copy();
    either.merge(b);
    const once = either.save();
    for (const source of [a, b, a]) {
        either.merge(source);
        assert.deepEqual(either.save(), once);
    }
    assert.ok(either.hasMany(someKeys(30000)).every(Boolean));
    const {estimatedItems} = either.stats();
    assert.ok(Math.abs(estimatedItems - 30000) < 900, `${estimatedItems}`);
    const {fpRate, madeFpRate} = either.info();
    assert.ok(fpRate > madeFpRate, `${fpRate} of ${madeFpRate}`);
    assert.equal(madeFpRate, a.info().fpRate);
    for (const set of [a, b, either])
        set.free();
});

inBoth('set_keeps_its_secret_to_itself', ({SeenSet, makeSecret}) => {
    const secret = makeSecret();
    assert.equal(secret.length, 16);
    assert.notDeepEqual(secret, makeSecret());
    const set = new SeenSet({secret});
    set.add('a');
    const copy = set.copy();
    assert.equal(copy.has('a'), true);
    assert.deepEqual(copy.places('a'), set.places('a'));
    const places = set.places('a');
    secret.fill(0);
    assert.deepEqual(set.places('a'), places, 'it has its own copy');
    set.free();
    copy.free();
});

inBoth('set_options_are_checked_in_plain_words', ({SeenSet}) => {
    for (const [options, words] of [
        [{capcity: 5}, /^There is no option capcity/],
        [{capacity: 1.5}, /^capacity is a whole number from 1 to 2\^53; not 1/],
        [{fpRate: '0.1'}, /^fpRate is over 0/],
        [{layout: 'blocked '}, /^layout is blocked, bloom/],
        [{onFull: 'explode'}, /^onFull is degrade, refuse, grow, rotate/],
        [{secret: 'abc'}, /^secret is a Uint8Array of 16 bytes/],
        [{seed: -1}, /^seed is a whole number/],
        [{seed: 1n << 64n}, /^seed is a whole number/],
        [{seeds: [1, -1], scheme: 'polynomial'}, /^each of seeds/],
        [{counterBits: 17, layout: 'counting'}, /^counterBits .* 2 to 16/],
        [{windowGenerations: 1}, /^windowGenerations .* 2 to 64/]])
        assert.match(refusal('SEENSET_EINVAL', () =>
            new SeenSet(options)).message, words);
    refusal('SEENSET_ERATE', () => new SeenSet({layout: 'bloom',
        capacity: 1e9, sizeBits: 1000, fpRate: 1e-3}));
    refusal('SEENSET_ENOMEM', () => new SeenSet({capacity: 1e12}));
    refusal('SEENSET_EINVAL', () => SeenSet.fromBits('bits', {hashCount: 3}));
});

inBoth('set_options_that_do_not_go_together_are_named', ({SeenSet, plan}) => {
    for (const [options, words] of [
        [{windowSeconds: 60, onFull: 'grow'}, /^windowSeconds is for onFull "r/],
        [{sliding: true, onFull: 'refuse'}, /^sliding is for onFull "rotate"/],
        [{counterBits: 4}, /^counterBits is for layout "counting"; not the d/],
        [{layout: 'bloom', unitBits: 8}, /^These options .*: layout, unitBits/],
        [1000, /^Options are an object, such as {capacity: 1e6}; not 1000/],
        [null, /^Options are an object.* not null/]])
        assert.match(refusal('SEENSET_EINVAL', () =>
            new SeenSet(options)).message, words);
    for (const [given, words] of [
        [{capacity: 1e6, p: 0.01}, /^A plan has no capacity: it is called n /],
        [{n: 1e6, onFull: 'grow'}, /^A plan has no onFull\.$/],
        [{k: 3}, /^These options .* one is missing: k\.$/],
        [{}, /^Options are missing, such as n\.$/],
        [undefined, /^Options are an object/]])
        assert.match(refusal('SEENSET_EINVAL', () => plan(given)).message,
            words);
    const set = new SeenSet();
    assert.match(refusal('SEENSET_EINVAL', () =>
        set.addMany(new Set())).message, /\[\.\.\.keys\] of a Set/);
    assert.match(refusal('SEENSET_EINVAL', () =>
        SeenSet.open(set.save().buffer)).message, /new Uint8Array\(buffer\)/);
    set.free();
});

inBoth('set_info_goes_into_json', ({SeenSet}) => {
    const set = new SeenSet({layout: 'bloom', scheme: 'enhanced-double',
        seed: 2n ** 60n + 1n, capacity: 1000});
    const info = set.info();
    assert.equal(info.seed, 2n ** 60n + 1n);
    const read = JSON.parse(JSON.stringify(info));
    assert.deepEqual({...read, seed: BigInt(read.seed)}, {...info});
    assert.ok(!Object.keys(info).includes('toJSON'));
    assert.deepEqual(structuredClone(info), {...info}); // to another thread
    set.free();
});

inBoth('set_of_a_time_forgets', ({SeenSet}) => {
    for (const options of [{windowSeconds: 60}, {windowGenerations: 4},
        {sliding: true}, {windowSeconds: 60, onFull: 'rotate'}]) {
        const set = new SeenSet({capacity: 1000, ...options});
        assert.equal(set.info().onFull, 'rotate');
        set.free();
    }
    const set = new SeenSet({capacity: 1000, sliding: false});
    assert.equal(set.info().onFull, 'grow');
    set.free();
});

inBoth('set_is_disposed_of_and_inspected', ({SeenSet}) => {
    const set = new SeenSet({capacity: 1000, fpRate: 0.01});
    const lines = set.lines();
    set.add('a');
    assert.match(inspect(set), new RegExp('^SeenSet {\\s+layout: \'blocked\',' +
        '\\s+onFull: \'grow\',\\s+capacityItems: 1000,\\s+fpRate: 0.01,' +
        '\\s+addedItems: 1,\\s+memoryBytes: \\d+\\s+}$'));
    lines[Symbol.dispose]();
    set[Symbol.dispose]();
    set[Symbol.dispose]();
    assert.equal(inspect([set]), '[ SeenSet {freed} ]');
});

/* Words of four bytes, then what is left; and what is not ASCII. */
inBoth('set_takes_text_of_any_length', ({SeenSet, hash}) => {
    const set = new SeenSet({fpRate: 1e-9});
    const encoder = new TextEncoder();
    for (let length = 0; length < 300; length++)
        for (const end of ['', 'z', '\x7f', '\x80', 'ü', '€', '😀', '\ud800']) {
            const text = 'abcdefghij'.repeat(30).slice(0, length) + end;
            const bytes = encoder.encode(text);
            assert.equal(hash(text), hash(bytes), text);
            set.add(text);
            assert.equal(set.has(bytes), true);
            assert.equal(set.has(`${end}${text}!`), false);
        }
    set.free();
});

inBoth('set_that_was_freed_says_so', ({SeenSet}) => {
    const set = new SeenSet();
    set.free();
    set.free();
    for (const call of [() => set.add('a'), () => set.info(),
        () => set.save(), () => set.merge(set), () => set.lines()])
        assert.match(refusal('SEENSET_EINVAL', call).message, /was freed/);
});

// ---- the types ----

/** Names that a block of the .d.ts declares. */
function declared(text, begin) {
    const block = text.slice(text.indexOf(begin)).split('\n}\n')[0];
    return [...block.matchAll(/^ {4}(?:static |readonly )?(\w+)\??[(:]/gm)]
        .map((match) => match[1]);
}

/** The same of an interface, with what it extends. */
function declaredBy(text, name) {
    const [, base] = text.match(
        new RegExp(`^export interface ${name} (?:extends (\\w+) )?{`, 'm'));
    return [...declared(text, `export interface ${name} `),
        ...base === undefined ? [] : declaredBy(text, base)];
}

test('set_types_name_what_there_is', () => {
    const text = readFileSync(path.join(moduleFolder, 'seenset.d.ts'), 'utf8');
    const library = libraries.simd;
    const sorted = (names) => [...new Set(names)].sort();
    assert.deepEqual(sorted(declared(text, 'export interface Library')),
        sorted(Object.keys(library)));
    const {SeenSet} = library;
    const members = [...Object.getOwnPropertyNames(SeenSet),
        ...Object.getOwnPropertyNames(SeenSet.prototype)];
    assert.deepEqual(sorted(declared(text, 'export class SeenSet')),
        sorted(members.filter((name) =>
            !['length', 'name', 'prototype'].includes(name))));
    const set = new SeenSet();
    for (const [type, value] of [['Info', set.info()], ['Stats', set.stats()],
        ['TableInfo', set.tableInfo(0)], ['Estimate', set.estimate()],
        ['Uniformity', set.uniformity()], ['Overlap', set.overlap(set)],
        ['Plan', library.plan({n: 9, p: 0.5})],
        ['Growth', library.grown({n: 9, p: 0.5}, 99)]])
        assert.deepEqual(sorted(declaredBy(text, type)),
            sorted(Object.keys(value)), type);
    set.free();
    // planted: a name that is not there is noticed
    assert.ok(declared(text.replace('has(key', 'hasnt(key'),
        'export class SeenSet').includes('hasnt'));
    assert.deepEqual(Object.keys(seenset).sort(), ['SeensetError', 'load']);
});
