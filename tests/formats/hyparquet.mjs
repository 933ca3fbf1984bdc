// hyparquet.mjs - Parquet files that hyparquet-writer has written: `seenset has`
// must find every value and, row group by row group, answer as hyparquet's own
// filters do, for values that are there and for others.
//
//     node hyparquet.mjs TOOLS SEENSET FOLDER
//
// TOOLS has node_modules; files are written to FOLDER.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [tools, seenset, folder] = process.argv.slice(2);
const modules = resolve(tools, 'node_modules');
const load = path => import(pathToFileURL(join(modules, path)));
const versionOf = name =>
    JSON.parse(readFileSync(join(modules, name, 'package.json'))).version;
const {parquetWriteFile} = await load('hyparquet-writer/src/node.js');
const {parquetMetadata} = await load('hyparquet/src/node.js');
const {hashParquetValue, readBloomFilter, sbbfContains} =
    await load('hyparquet/src/bloom.js');
console.log('hyparquet-writer', versionOf('hyparquet-writer'), 'hyparquet',
            versionOf('hyparquet'));

const ROWS = 40000;
const GROUP_ROWS = 12000;

// A column: its type, its value for row i, and how seenset is given it. Values
// of rows from ROWS on are not in the file.
const columns = {
    text: ['STRING', i => `https://h${i}.example/ä?b=${i * 3}`, v => v],
    bytes: ['BYTE_ARRAY', i => new TextEncoder().encode(`b${i}`),
            v => new TextDecoder().decode(v)],
    i32: ['INT32', i => i * 7 - 350000, String],
    i64: ['INT64', i => BigInt(i) * 1000000007n - 50000000000000n, String],
    f32: ['FLOAT', i => i / 8 - 5000, String],
    f64: ['DOUBLE', i => i / 7 - 5000, String],
};

const path = join(folder, 'hyparquet.parquet');
const rowsOf = (make, first, end) =>
    Array.from({length: end - first}, (_, i) => make(first + i));
await parquetWriteFile({
    filename: path,
    rowGroupSize: GROUP_ROWS,
    columnData: Object.entries(columns).map(([name, [type, make]]) => ({
        name, type, data: rowsOf(make, 0, ROWS), bloomFilter: {fpp: 0.02}})),
});

const run = (input, ...words) => {
    const done = spawnSync(seenset, words, {input, maxBuffer: 1 << 28,
                                            encoding: 'utf8'});
    assert.equal(done.stderr, '');
    return done.stdout;
};

const file = readFileSync(path);
const buffer = file.buffer.slice(file.byteOffset,
                                 file.byteOffset + file.byteLength);
const metadata = parquetMetadata(buffer);

// hyparquet's filters of a column, in the order of the row groups.
function filtersOf(name) {
    return metadata.row_groups.map(({columns: chunks}) => {
        const {meta_data: chunk} =
            chunks.find(({meta_data: {path_in_schema: [part]}}) => part === name);
        return readBloomFilter({view: new DataView(buffer),
                                offset: Number(chunk.bloom_filter_offset)});
    });
}

let wrong = 0;
for (const [name, [, make, show]] of Object.entries(columns)) {
    const element = metadata.schema.find(one => one.name === name);
    const filters = filtersOf(name);
    assert.equal(filters.length, Math.ceil(ROWS / GROUP_ROWS));
    const values = rowsOf(make, 0, 2 * ROWS);
    const printed = run(values.map(show).join('\n') + '\n', 'has',
                        '--row-groups', `${path}:${name}`);
    const ours = new Map(printed.trimEnd().split('\n').map(
        line => line.split('\t').reverse()));
    values.forEach((value, i) => {
        const hash = hashParquetValue(value, element);
        const theirs = filters.flatMap(
            ({blocks}, group) => sbbfContains(blocks, hash) ? [group] : []);
        const mine = ours.get(show(value)) ?? '';
        assert.equal(mine, theirs.join(','), `${name}: ${show(value)}`);
        const home = Math.floor(i / GROUP_ROWS);
        assert.ok(i >= ROWS || theirs.includes(home), `${name}: ${i} is lost`);
        wrong += i >= ROWS && theirs.length > 0;
    });
    console.log(`${name}: ${2 * ROWS} values, the same row groups`);
}
// planted: that all agree would mean nothing if no filter were wrong
assert.ok(wrong > 0.02 * ROWS && wrong < 0.2 * 6 * ROWS, `${wrong} wrong`);
