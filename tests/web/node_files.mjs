/* Set files of the module and of the command: the same options and keys make
 * the same bytes, for every layout, policy and scheme; and each opens what the
 * other wrote, and goes on with it as with its own. */
import assert from 'node:assert/strict';
import {readdirSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {asBatch, asLines, bytesOf, golden, libraries, native, nativeFailure,
    newPath, refusal, someKeys, written} from './support/module.mjs';

const secret = Uint8Array.from({length: 16}, (_, i) => 7 * i + 3);
const secretFile = written(Buffer.from(secret).toString('hex'));
const keyed = {secret};

/* [what it is, options of the module, arguments of `seenset new`] */
const kinds = [
    ['blocked', {}, []],
    ['blocked_two_lines', {fpRate: 1e-5, onFull: 'degrade'},
        ['-p', '1e-5', '--on-full=degrade']],
    ['blocked_three_lines', {fpRate: 1e-9, onFull: 'refuse'},
        ['-p', '1e-9', '--on-full=refuse']],
    ['bloom', {layout: 'bloom'}, ['--layout=bloom']],
    ['bloom_refuse', {layout: 'bloom', onFull: 'refuse'},
        ['--layout=bloom', '--on-full=refuse']],
    ['bloom_of_a_size', {layout: 'bloom', sizeBits: 9585058, hashCount: 7},
        ['--layout=bloom', '-m', '9585058b', '-k', '7']],
    ['split_block', {layout: 'split_block'}, ['--layout=split_block']],
    ['split_block_degrade', {layout: 'split_block', onFull: 'degrade'},
        ['--layout=split_block', '--on-full=degrade']],
    ['counting', {layout: 'counting'}, ['--layout=counting']],
    ['counting_three_bits', {layout: 'counting', counterBits: 3},
        ['--layout=counting', '--counter-bits=3']],
    ['counting_refuse', {layout: 'counting', onFull: 'refuse'},
        ['--layout=counting', '--on-full=refuse']],
    ['window', {onFull: 'rotate', capacity: 500}, ['--window=500']],
    ['window_bloom_sliding',
        {layout: 'bloom', onFull: 'rotate', capacity: 500, sliding: true,
            windowGenerations: 3},
        ['--layout=bloom', '--window=500', '--sliding', '--window-tables=3']],
    ['seed', {seed: 18446744073709551615n},
        ['--seed=18446744073709551615']],
    ['keyed', keyed, [`--secret-file=${secretFile}`]],
    ['keyed_bloom', {...keyed, layout: 'bloom'},
        ['--layout=bloom', `--secret-file=${secretFile}`]],
    ['keyed_counting', {...keyed, layout: 'counting'},
        ['--layout=counting', `--secret-file=${secretFile}`]],
    ...[['murmur2a+fnv1a', {seed: 5}, ['--seed=5']],
        ['murmur2a+fnv1a-signed', {}, []],
        ['murmur3-128', {}, []],
        ['polynomial', {}, []],
        ['polynomial', {unitBits: 16, seeds: [31, 131, 1313, 13131],
            hashCount: 4}, ['--units=16', '--seeds=31,131,1313,13131', '-k',
            '4']],
        ['md5-divmod', {}, []],
        ['enhanced-double', {seed: 9}, ['--seed=9']],
        ['clickhouse-bloom', {}, []],
        ['clickhouse-tokenbf', {seed: 1}, ['--seed=1']]].flatMap(
        ([scheme, more, args]) => ['bloom', 'counting'].map((layout) => [
            `${scheme}_${layout}${more.unitBits ?? ''}`,
            {scheme, layout, ...more},
            [`--scheme=${scheme}`, `--layout=${layout}`, ...args]])),
];

const keys = someKeys(3000);
const more = someKeys(500, 2);

/** As the command does it: a set of options, with keys. */
function nativeSet(args, options) {
    const name = newPath();
    const hasSize = args.includes('-m') ||
        args.some((arg) => arg.startsWith('--window='));
    native(['new', ...args, ...hasSize ? [] : ['-n', '1000'], name]);
    // a set that refuses is full on the way, which is exit status 3 or so
    addNative(name, keys, options);
    return name;
}

function addNative(name, keys, options) {
    const args = ['add', name];
    if (options.secret !== undefined)
        args.push(`--secret-file=${secretFile}`);
    return nativeFailure(args, asLines(keys)).status;
}

const withCapacity = (options) =>
    options.sizeBits === undefined ? {capacity: 1000, ...options} : options;

for (const [name, options, args] of kinds)
    test(`file_${name}_is_the_same_both_ways`, () => {
        const file = nativeSet(args, options);
        const wanted = bytesOf(file);
        for (const {SeenSet} of Object.values(libraries)) {
            // made and filled here
            const set = new SeenSet(withCapacity(options));
            const answers = set.addMany(asBatch(keys));
            assert.deepEqual(Buffer.from(set.save()), wanted);
            assert.ok(answers.includes(1));
            // filled key by key, in a set that was opened
            const file = newPath();
            native(['new', ...args,
                ...options.sizeBits || args.some((arg) =>
                    arg.startsWith('--window=')) ? [] : ['-n', '1000'], file]);
            const opened = SeenSet.open(bytesOf(file), options);
            for (const key of keys)
                try {
                    opened.add(key);
                } catch (error) {
                    assert.equal(error.errorName, 'SEENSET_EFULL');
                }
            assert.deepEqual(Buffer.from(opened.save()), wanted);
            set.free();
            opened.free();
        }
        // the command goes on with the module's file, and the reverse
        const {SeenSet} = libraries.simd;
        const set = SeenSet.open(wanted, options);
        const handed = written(set.save());
        addNative(handed, more, options);
        set.addMany(more);
        assert.deepEqual(Buffer.from(set.save()), bytesOf(handed));
        native(['verify', handed]);
        set.free();
    });

test('file_sealed_is_the_same_both_ways', () => {
    for (const [options, args] of [
        [{}, []], [{fpRate: 1e-4, hashCount: 3}, ['-p', '1e-4', '-k', '3']],
        [{fpRate: 1e-9}, ['-p', '1e-9']],
        [keyed, [`--secret-file=${secretFile}`]]]) {
        const file = newPath();
        native(['seal', ...args, file], asLines(keys));
        for (const {SeenSet} of Object.values(libraries))
            for (const batch of [keys, asBatch(keys)]) {
                const set = SeenSet.seal(batch, options);
                assert.deepEqual(Buffer.from(set.save()), bytesOf(file));
                assert.ok(set.hasMany(batch).every((answer) => answer === 1));
                set.free();
            }
    }
});

/* Time goes by Date.now here, and is in the file; so it is set to the time at
 * which the command made the set. */
test('file_window_by_age_is_the_same_both_ways', (t) => {
    const file = newPath();
    native(['new', '--window=24h', '-n', '1000', file]);
    const empty = bytesOf(file);
    native(['add', file], asLines(keys.slice(0, 100)));
    for (const {SeenSet} of Object.values(libraries)) {
        const native = SeenSet.open(bytesOf(file));
        const {startedSeconds} = native.tableInfo(0);
        const now = t.mock.method(Date, 'now', () => 1000 * startedSeconds);
        const made = new SeenSet({onFull: 'rotate', capacity: 1000,
            windowSeconds: 86400});
        const opened = SeenSet.open(empty);
        for (const set of [made, opened]) {
            set.addMany(keys.slice(0, 100));
            assert.deepEqual(Buffer.from(set.save()), bytesOf(file));
        }
        // time passes here as well
        now.mock.mockImplementation(() => 1000 * (startedSeconds + 200000));
        assert.ok(made.hasMany(keys.slice(0, 100)).includes(0));
        now.mock.restore();
        for (const set of [made, opened, native])
            set.free();
    }
});

test('file_merged_and_intersected_is_the_same', () => {
    const sizes = ['-m', '65536b', '-k', '4', '--layout=bloom'];
    const [a, b] = [keys.slice(0, 1500), keys.slice(1000, 2500)].map((some) => {
        const file = newPath();
        native(['new', ...sizes, file]);
        native(['add', file], asLines(some));
        return file;
    });
    for (const call of ['merge', 'intersect']) {
        const out = newPath();
        native([call, out, a, b]);
        for (const {SeenSet} of Object.values(libraries)) {
            const [first, second] = [a, b].map((name) =>
                SeenSet.open(bytesOf(name)));
            first[call](second);
            assert.deepEqual(Buffer.from(first.save()), bytesOf(out));
            assert.ok(call === 'merge' ? first.isSuperset(second)
                                       : second.isSuperset(first));
            first.free();
            second.free();
        }
    }
});

test('file_of_bits_is_the_same', () => {
    for (const layout of ['bloom', 'counting']) {
        const {SeenSet} = libraries.simd;
        const set = new SeenSet({layout, sizeBits: 8192, hashCount: 3});
        set.addMany(keys.slice(0, 300));
        const bits = set.toBits();
        const file = newPath();
        native(['new', `--bits=${written(bits)}`, `--layout=${layout}`, '-k',
            '3', file]);
        const again = SeenSet.fromBits(bits, {layout, hashCount: 3});
        assert.deepEqual(Buffer.from(again.save()), bytesOf(file));
        assert.deepEqual(again.toBits(), bits);
        set.free();
        again.free();
    }
});

/** Names to the fields of `seenset info --json` that the module has as well. */
function camel(fields) {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) =>
        [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
            value]));
}

test('file_says_of_itself_what_the_command_says', () => {
    for (const [name, options, args] of kinds.filter(([name]) =>
        !name.startsWith('keyed'))) {
        const file = nativeSet(args, options);
        const wanted = camel(JSON.parse(native(['info', '--json', file])));
        for (const {SeenSet} of Object.values(libraries)) {
            const set = SeenSet.open(bytesOf(file));
            const found = {...set.info(), ...set.stats()};
            found.seed = Number(found.seed);
            const common = Object.keys(found).filter((key) => key in wanted &&
                !['isReadOnly', 'memoryBytes'].includes(key));
            assert.ok(common.length > 20, `${common}`);
            // a table that grows has all of its memory, with addresses
            const inMemory = found.tableCount > 1 && found.onFull === 'grow'
                ? ['sizeBits', 'fill'] : [];
            for (const key of common)
                if (inMemory.includes(key))
                    assert.ok(Math.abs(found[key] / wanted[key] - 1) < 0.1,
                        `${name} ${key} ${found[key]} ${wanted[key]}`);
                else if (Math.abs(found[key]) > 1e-300 &&
                    !Number.isInteger(found[key]) && key !== 'fpRate')
                    assert.ok(Math.abs(found[key] / wanted[key] - 1) < 1e-12,
                        `${name} ${key} ${found[key]} ${wanted[key]}`);
                else if (key === 'wrongItems' && found.isWrongAtLeast)
                    assert.equal(wanted[key], null, name); // not known
                else
                    assert.deepEqual(found[key], wanted[key],
                        `${name} ${key}`);
            set.free();
        }
    }
});

// ---- files that others made, sound and damaged ----

const goldens = readdirSync(golden).filter((name) =>
    name.endsWith('.seenset'));

test('file_golden_opens_and_is_what_the_command_rewrites', () => {
    assert.ok(goldens.length > 15);
    for (const name of goldens) {
        const bytes = bytesOf(path.join(golden, name));
        for (const {SeenSet, verify} of Object.values(libraries)) {
            assert.deepEqual(verify(bytes), {sound: true, error: '',
                fileBytes: bytes.length, offset: 0, reason: ''}, name);
            const set = SeenSet.open(bytes);
            const again = SeenSet.open(set.save());
            assert.deepEqual(again.save(), set.save());
            if (!name.startsWith('v1') && !name.startsWith('v2'))
                assert.deepEqual(Buffer.from(set.save()), bytes, name);
            set.free();
            again.free();
        }
    }
});

test('file_damaged_is_refused_as_the_command_refuses_it', () => {
    const folder = path.join(golden, 'bad');
    const bad = readdirSync(folder);
    let sound = 0; // with figures that nobody believes, but no damage
    assert.ok(bad.length > 15);
    for (const name of bad) {
        const file = path.join(folder, name);
        const bytes = new Uint8Array(bytesOf(file));
        const {status, message} = nativeFailure(['verify', file]);
        if (status === 0)
            sound += 1;
        for (const {SeenSet, verify} of Object.values(libraries)) {
            const verdict = verify(bytes);
            assert.equal(verdict.sound, status === 0, name);
            if (verdict.sound)
                continue;
            const [, offset, total, reason] =
                /\(at byte (\d+) of (\d+): (.*)\);/.exec(message) ?? [];
            if (reason !== undefined)
                assert.deepEqual([verdict.offset, verdict.fileBytes,
                    verdict.reason], [+offset, +total, reason], name);
            const error = refusal(verdict.error, () => SeenSet.open(bytes));
            assert.ok(error.report.reason.length > 0, name);
            assert.match(error.message, /^[A-Z].*\. [A-Z].*\.$/);
        }
    }
    assert.ok(sound <= 2);
});

/* A page has one file and no names, so what is beside the file is not here. */
test('file_with_a_journal_is_refused_until_it_is_compacted', () => {
    const file = newPath();
    native(['new', '-n', '4000000', file]);
    native(['add', file], asLines(keys));
    native(['compact', file]);
    native(['add', file], asLines(more.slice(0, 10)));
    const marked = bytesOf(file);
    native(['compact', file]);
    const compacted = bytesOf(file);
    assert.notDeepEqual(marked, compacted);
    for (const {SeenSet, verify} of Object.values(libraries)) {
        const {sound, error, offset, reason} = verify(marked);
        assert.deepEqual({sound, error, offset},
            {sound: false, error: 'SEENSET_EJOURNAL', offset: 11});
        assert.match(reason, /journal is not here: compact the file first/);
        const rest = SeenSet.open(marked, {withoutJournal: true});
        assert.ok(rest.hasMany(keys).every((is) => is === 1));
        assert.ok(rest.hasMany(more.slice(0, 10)).some((is) => is === 0));
        rest.free();
        assert.match(refusal('SEENSET_EJOURNAL', () =>
            SeenSet.open(marked)).message, /compact the file first/);
        assert.equal(verify(compacted).sound, true);
        const set = SeenSet.open(compacted);
        assert.ok(set.hasMany(more.slice(0, 10)).every((is) => is === 1));
        assert.deepEqual(Buffer.from(set.save()), compacted);
        set.free();
    }
});

test('file_in_pieces_is_verified_and_opened', () => {
    const {SeenSet, verify} = libraries.simd;
    const set = new SeenSet({capacity: 50000});
    set.addMany(keys);
    const bytes = set.save();
    const pieces = [];
    set.saveTo((piece) => pieces.push(piece.slice()));
    assert.ok(pieces.length > 1);
    assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), bytes);
    // a source that gives a little at a time
    let largest = 0;
    const source = {size: bytes.length, read(offset, into) {
        const some = bytes.subarray(offset, offset + Math.min(into.length,
            777));
        into.set(some);
        largest = Math.max(largest, into.length);
        return some.length;
    }};
    assert.equal(verify(source).sound, true);
    assert.ok(largest <= 1 << 16, 'verifying takes little memory');
    assert.deepEqual(SeenSet.open(source).save(), bytes);
    assert.equal(verify({size: bytes.length + 1, read: source.read}).sound,
        false);
});

test('file_source_that_throws_is_heard', () => {
    const {SeenSet, verify} = libraries.simd;
    const failure = new Error('the disk is gone');
    const source = {size: 1000, read() {
        throw failure;
    }};
    assert.throws(() => verify(source), failure);
    assert.throws(() => SeenSet.open(source), failure);
    const set = new SeenSet({capacity: 10});
    assert.throws(() => set.saveTo(() => {
        throw failure;
    }), failure);
    assert.equal(verify(set.save()).sound, true, 'and nothing is left of it');
});

test('file_secret_is_asked_for', () => {
    const {SeenSet, verify} = libraries.simd;
    const set = new SeenSet({capacity: 10, secret});
    const bytes = set.save();
    assert.equal(verify(bytes).sound, true, 'without the secret');
    assert.match(refusal('SEENSET_ESECRET', () => SeenSet.open(bytes)).message,
        /its secret is needed/);
    refusal('SEENSET_ESECRET', () =>
        SeenSet.open(bytes, {secret: new Uint8Array(16)}));
    const open = new SeenSet({capacity: 10});
    refusal('SEENSET_ESECRET', () => SeenSet.open(open.save(), {secret}));
    refusal('SEENSET_EINVAL', () =>
        SeenSet.open(bytes, {secret: secret.subarray(1)}));
});
