/* Files of other systems in Node, beside the command: what a check says, the
 * answers, the row groups, the sets, and every refusal. */
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';
import {libraries, moduleFolder, native} from '../support/module.mjs';
import {checked, complaint, printed, vector, writeFiles}
    from '../support/foreign.mjs';

const {openForeign, SeensetError} = await import(
    pathToFileURL(path.join(moduleFolder, 'foreign.mjs')));
const work = mkdtempSync(path.join(tmpdir(), 'seenset-foreign-'));
after(() => rmSync(work, {recursive: true}));
const place = (name) => path.join(work, name);
const names = writeFiles(work, writeFileSync);
const open = (name, options) => openForeign(readFileSync(place(name)), options);

/** What a call throws: a SeensetError of that name. */
async function refused(name, call) {
    try {
        await call();
    } catch (error) {
        assert.ok(error instanceof SeensetError, String(error));
        assert.equal(error.errorName, name);
        return error;
    }
    throw new Error(`nothing was thrown, not even ${name}`);
}

test('foreign_checks_as_the_command_does', async () => {
    assert.ok(names.length > 12);
    let filters = 0;
    for (const name of names) {
        const file = await open(name);
        const found = file.check();
        assert.deepEqual(found, checked(place(name)), name);
        filters += found.filters.length;
        assert.equal(file.info().format, found.format);
        file.free();
    }
    assert.ok(filters > 30);
});

/* The comparison above sees a difference of one bit. */
test('foreign_check_sees_a_bit', async () => {
    const bytes = vector('flor.bloom');
    bytes[100] ^= 1;
    const file = await openForeign(bytes);
    assert.notDeepEqual(file.check(),
        checked(place('flor.bloom')));
});

test('foreign_is_the_same_from_any_source', async () => {
    const bytes = vector('people.parquet');
    const read = (offset, into) =>
        bytes.copy(into, 0, offset, Math.min(bytes.length,
            offset + Math.min(into.length, 1000)));
    const asked = await Promise.all([new Blob([bytes]),
        {size: bytes.length, read}, new Uint8Array(bytes)].map(
        (file) => openForeign(file, {column: 'email'})));
    for (const file of asked) {
        assert.deepEqual(file.check(), asked[0].check());
        assert.equal(file.has('p7@y.example'), true);
    }
});

/** Keys that are in, and keys that are not. */
const texts = {
    'people.parquet:email': (i) => `p${i * 17}@y.example`,
    'people.parquet:number': (i) => String(i * 31),
    'types.parquet:i32': (i) => String(i * 7 - 100),
    'types.parquet:i64': (i) => String(i * 1000000007 - 5),
    'types.parquet:f32': (i) => String(i / 8),
    'types.parquet:f64': (i) => String(i / 10),
    'types.parquet:u64': (i) => String(18000000000000000000n + BigInt(i)),
    'types.parquet:nested.y': (i) => `in ${i}`,
    'hyparquet.parquet:visit': (i) => String(BigInt(i * 20) * 1000003n),
    'flor.bloom': (i) => `key ${i * 5}`,
    'flor.bloom.gz': (i) => `key ${i * 5}`,
    'guava.bloom': (i) => `key ${i * 5}`,
    'leveldb.ldb': (i) => `key ${i * 3}`,
    'rocksdb-2.sst': (i) => `key ${i * 3}`,
    'rocksdb-5.sst': (i) => `key ${i * 3}`,
    'made.bip37': (i) => (i * 7919 + 4096).toString(16).padStart(8, '0'),
};

test('foreign_answers_as_the_command_does', async () => {
    for (const [name, keyOf] of Object.entries(texts)) {
        const [file, column] = name.split(':');
        const opened = await open(file, {column});
        const keys = Array.from({length: 200}, (_, i) => keyOf(i));
        const seen = printed(['has', place(name)],
            keys.map((key) => `${key}\n`).join('')).split('\n');
        const answers = opened.hasMany(keys);
        assert.deepEqual(keys.filter((_, i) => answers[i] === 1),
            seen.slice(0, -1), name);
        assert.ok(answers.includes(1) && answers.includes(0), name);
        assert.ok(keys.every((key, i) =>
            opened.has(key) === (answers[i] === 1)));
    }
});

test('foreign_takes_funnels', async () => {
    for (const [name, funnel, key, other] of [
        ['guava-32.bloom', 'utf16', 'key 7', 'key 700'],
        ['guava-full.bloom', 'int', '7', '-70'],
        ['guava.bloom', 'utf8', 'key 7', 'key 700']]) {
        const file = await open(name, {funnel});
        const said = printed(['has', '--funnel', funnel, place(name)],
            `${key}\n${other}\n`);
        assert.equal([key, other].filter((one) => file.has(one))
            .map((one) => `${one}\n`).join(''), said);
        assert.equal(file.has(key), true);
    }
    assert.deepEqual((await open('guava.bloom')).funnels,
        ['utf8', 'bytes', 'utf16', 'int', 'long']);
    assert.deepEqual((await open('people.parquet')).funnels, []);
    const file = await open('guava-full.bloom', {funnel: 'int'});
    assert.equal(file.has(7), true); // a number is its text
    assert.equal(file.has(Uint8Array.of(7, 0, 0, 0)), true); // or its bytes
});

/* A row of the BIP's own vectors, bip-0158/testnet-19.json. */
const block = '0000000018b07dca1b28b4b5a119f6d6e71698ce1ed96f143f54179ce177a19c';
const blockFilter = Buffer.from(
    '0afbc2920af1b027f31f87b592276eb4c32094bb4d3697021b4c6380', 'hex');
const script = '76a91445db0b779c0b9fa207f12a8218c94fc77aff504588ac';

test('foreign_asks_a_block_with_its_hash', async () => {
    writeFileSync(place('block'), blockFilter);
    const keys = [script, script.slice(0, -2), '6a', script.toUpperCase()];
    const said = printed(['has', '--block', block, place('block')],
        keys.map((key) => `${key}\n`).join(''));
    const file = await openForeign(blockFilter, {block});
    assert.equal(keys.filter((key) => file.has(key))
        .map((key) => `${key}\n`).join(''), said);
    assert.deepEqual([...file.hasMany(keys)], [1, 0, 0, 1]);
    file.choose({funnel: 'bytes'}); // the hash stays
    assert.equal(file.has(Buffer.from(script, 'hex')), true);
    const other = [...block].reverse().join('');
    assert.equal((await openForeign(blockFilter, {block: other}))
        .has(script), false); // planted: another block
    const late = await openForeign(blockFilter);
    assert.equal(late.check().filters[0].addedItems, 10);
    assert.match((await refused('SEENSET_ESECRET', () => late.has(script)))
        .message, /hash of that block.*: give it as block\.$/);
    late.choose({block: block.toUpperCase()});
    assert.equal(late.has(script), true);
    for (const wrong of ['', block.slice(1), `${block}0`, 7,
        `g${block.slice(1)}`]) {
        await refused('SEENSET_EINVAL', () => late.choose({block: wrong}));
        await refused('SEENSET_EINVAL', () =>
            openForeign(blockFilter, {block: wrong}));
    }
    assert.equal(late.has(script), true); // as it was
    assert.match((await refused('SEENSET_EINVAL', () =>
        openForeign(vector('flor.bloom'), {block}))).message,
    /^block is for the filter of a block of Bitcoin/);
});

test('foreign_names_row_groups', async () => {
    for (const [name, keyOf] of Object.entries(texts).slice(0, 9)) {
        const [file, column] = name.split(':');
        const opened = await open(file, {column});
        for (let i = 0; i < 40; i++) {
            const key = keyOf(i);
            const said = printed(['has', '--row-groups', place(name)],
                `${key}\n`);
            const groups = opened.rowGroups(key);
            assert.equal(groups.length === 0 ? ''
                : `${groups.join(',')}\t${key}\n`, said, `${name} ${key}`);
        }
    }
});

test('foreign_keys_go_in_any_mixture', async () => {
    const file = await open('types.parquet', {column: 'i32'});
    const bytes = new Uint8Array(new Int32Array([-100]).buffer);
    assert.deepEqual([...file.hasMany(['-93', bytes, -86, 1n, bytes])],
        [1, 1, 1, 0, 1]);
    const data = new Uint8Array(new Int32Array([-100, 1, -93]).buffer);
    const offsets = Uint32Array.of(0, 4, 8, 12);
    assert.deepEqual([...file.hasMany({data, offsets})], [1, 0, 1]);
    const long = 'long '.repeat(100_000);
    const wide = await open('guava-32.bloom', {funnel: 'utf16'});
    assert.deepEqual([...wide.hasMany([long, 'key 1', long])], [0, 1, 0]);
});

test('foreign_filters_become_sets', async () => {
    const {SeenSet} = libraries.simd;
    for (const name of ['flor.bloom', 'guava.bloom', 'made.bip37',
        'rocksdb-5.sst']) {
        const saved = (await open(name)).saveSet();
        native(['convert', '--format', 'seenset', '--force', place(name),
            place('set')]);
        assert.deepEqual(Buffer.from(saved), readFileSync(place('set')), name);
        const set = SeenSet.open(saved);
        assert.equal(set.stats().setBits,
            checked(place(name)).filters[0].setBits);
        set.free();
    }
});

test('foreign_damage_is_where_the_command_finds_it', async () => {
    let refusals = 0;
    for (const name of ['people.parquet', 'flor.bloom', 'guava.bloom',
        'leveldb.ldb', 'rocksdb-5.sst']) {
        const whole = vector(name);
        for (const size of [60, 100, whole.length >> 1, whole.length - 1]) {
            writeFileSync(place('cut'), whole.subarray(0, size));
            const said = complaint(['check', place('cut')]);
            const found = said.match(/\(at byte (\d+) of (\d+): (.*)\)\n/);
            const error = await open('cut').then(() => null, (one) => one);
            if (found === null)
                continue;
            refusals += 1;
            assert.deepEqual(error.report, {fileBytes: Number(found[2]),
                offset: Number(found[1]), reason: found[3]}, name);
            assert.match(error.message, /At byte \d+: /);
        }
    }
    assert.ok(refusals >= 4, `${refusals}`);
});

/* As tests/cli/check/of_any_filter.sh does it: another hash. */
test('foreign_damaged_filter_is_reported', async () => {
    const bytes = vector('people.parquet');
    const {filters} = (await openForeign(bytes)).check();
    const at = filters.findIndex(({column}) => column === 'email');
    bytes[filters[at].bitsOffset - 8] = 0o54;
    writeFileSync(place('other-hash'), bytes);
    const file = await open('other-hash');
    assert.deepEqual(file.check(),
        checked(place('other-hash')));
    assert.ok(['damaged', 'unsupported'].includes(
        file.check(at).filters[0].verdict));
    file.choose({column: 'number'});
    assert.equal(file.has('7'), true);
    file.choose({column: 'email'});
    const error = await refused(file.check(at).filters[0].verdict ===
        'damaged' ? 'SEENSET_ECORRUPT' : 'SEENSET_EUNSUPPORTED',
    () => file.has('p7@y.example'));
    assert.match(error.message, /'email' in row group 0 cannot be asked/);
});

test('foreign_refuses_by_name', async () => {
    const error = await refused('SEENSET_EFORMAT', () =>
        openForeign(new TextEncoder().encode('lines of text\n'.repeat(50))));
    assert.match(error.message, /parquet, dcso, guava, leveldb, rocksdb/);
    await refused('SEENSET_EFORMAT', () =>
        openForeign(gzipSync('text\n'.repeat(1000))));
    await refused('SEENSET_EFORMAT', () => openForeign(new Uint8Array(0)));
    await refused('SEENSET_ECORRUPT', () =>
        openForeign(gzipSync(vector('flor.bloom')).subarray(0, 900)));
    await refused('SEENSET_EINVAL', () => openForeign('flor.bloom'));
    await refused('SEENSET_EIO', () =>
        openForeign({size: 1000, read: () => 0}));
    const large = await refused('SEENSET_ENOMEM', () =>
        openForeign({size: 2 ** 33, read: () => 0}));
    assert.match(large.message, /seenset command/);
    const people = await open('people.parquet');
    assert.match((await refused('SEENSET_EINVAL', () => people.has('x')))
        .message, /several columns.*email, number/s);
    await refused('SEENSET_EINVAL', () => people.choose({column: 'nobody'}));
    await refused('SEENSET_EINVAL', () => people.choose({colum: 'email'}));
    await refused('SEENSET_EINVAL', () => people.choose({column: 'email',
        funnel: 'utf16'}));
    people.choose({column: 'number'});
    assert.match((await refused('SEENSET_EINVAL', () => people.has('seven')))
        .message, /^'seven' is not a value of 'number', which are int32\.$/);
    await refused('SEENSET_EINVAL', () => people.has(new Uint8Array(3)));
    await refused('SEENSET_EINVAL', () => people.check(99));
    await refused('SEENSET_EINVAL', () => people.has({}));
    people.free();
    await refused('SEENSET_EINVAL', () => people.has('7'));
});

/* A host without DecompressionStream says what it lacks, and opens the rest. */
test('foreign_gzipped_is_refused_where_it_cannot_be_unpacked', async () => {
    const {DecompressionStream: had} = globalThis;
    const bytes = vector('flor.bloom');
    try {
        delete globalThis.DecompressionStream;
        const error = await refused('SEENSET_EUNSUPPORTED', () =>
            openForeign(gzipSync(bytes)));
        assert.match(error.message, /gzip.*DecompressionStream.*Unpack/);
        (await openForeign(bytes)).free();
    } finally {
        globalThis.DecompressionStream = had;
    }
    (await openForeign(gzipSync(bytes))).free();
});

/* Each file has a memory of its own, which goes with it. */
test('foreign_many_files_are_opened', async () => {
    const bytes = vector('flor.bloom');
    for (let i = 0; i < 300; i++) {
        const file = await openForeign(bytes);
        assert.equal(file.has('key 7'), true);
        file.free();
    }
});
