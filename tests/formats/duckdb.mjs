// duckdb.mjs - Parquet files that DuckDB has written: 100,000 values of each
// type in row groups, of which `seenset has` must find every one, and of other
// values no more than the bits let through. DuckDB's own probe must agree.
//
//     node duckdb.mjs TOOLS SEENSET FOLDER
//
// TOOLS has node_modules; files are written to FOLDER.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const [tools, seenset, folder] = process.argv.slice(2);
const require = createRequire(resolve(tools, 'x'));
const {DuckDBInstance} = require('@duckdb/node-api');
const ROWS = 100000;

const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
const rows = async query =>
    (await connection.runAndReadAll(query)).getRows();
console.log('duckdb', (await rows('SELECT version()'))[0][0], 'with',
            require('@duckdb/node-api/package.json').version);

// A column: its name, its values for row i, and how seenset is given them.
// Those of rows ROWS to 2 * ROWS - 1 are not in the file.
const columns = [
    ['i32', '(i * 7 - 350000)::INTEGER', 'i32::VARCHAR'],
    ['i64', '(i * 1000000007 - 50000000000000)::BIGINT', 'i64::VARCHAR'],
    ['u32', '(4000000000 + i)::UINTEGER', 'u32::VARCHAR'],
    ['u64', '(18000000000000000000 + i)::UBIGINT', 'u64::VARCHAR'],
    ['f32', '(i / 8.0 - 5000)::FLOAT', 'f32::VARCHAR'],
    ['f64', '(i / 7.0 - 5000)::DOUBLE', 'f64::VARCHAR'],
    ['text', "'https://h' || i || '.example/a?b=' || i * 3", 'text'],
    ['bytes', "encode('b' || i)", "decode(bytes)"],
    ['id', 'md5(i::VARCHAR)::UUID', 'id::VARCHAR'],
    ['day', "DATE '1970-01-01' + i::INTEGER",
     "date_diff('day', DATE '1970-01-01', day)::VARCHAR"],
    ['moment', 'make_timestamp(1700000000000000 + i * 1000000)',
     'epoch_us(moment)::VARCHAR'],
    ['price', '(i / 100.0)::DECIMAL(9, 2)', '(price * 100)::INTEGER::VARCHAR'],
];
const values = columns.map(([name, value]) => `${value} AS "${name}"`).join();
await connection.run(`CREATE TABLE t AS
    SELECT i, ${values} FROM range(${2 * ROWS}) r(i)`);

async function save(path, rate, groupRows) {
    await connection.run(`COPY (SELECT * FROM t WHERE i < ${ROWS} ORDER BY i)
        TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${groupRows},
        DICTIONARY_SIZE_LIMIT 1000000, WRITE_BLOOM_FILTER true,
        BLOOM_FILTER_FALSE_POSITIVE_RATIO ${rate})`);
}

function run(input, ...words) {
    const done = spawnSync(seenset, words, {input, maxBuffer: 1 << 28,
                                            encoding: 'utf8'});
    assert.equal(done.stderr, '');
    return done.stdout;
}

const lines = text => text === '' ? [] : text.trimEnd().split('\n');

/* Chernoff: is it no accident, but for one in 1e9? */
function isBinomial(hits, trials, p) {
    const part = hits / trials;
    const term = (a, b) => a === 0 ? 0 : a * Math.log(a / b);
    return trials * (term(part, p) + term(1 - part, 1 - p)) <
           Math.log(2e9);
}

/* A key that is in one of several row groups is asked for in the others, too:
 * a key that is in none has so many chances. */
function rateOf(path, column) {
    const {filters} = JSON.parse(run('', 'check', '--json', `${path}:${column}`));
    return 1 - filters.reduce((rest, f) => rest * (1 - f.current_fp_rate), 1);
}

for (const [rate, groupRows] of [[0.01, 20480], [0.0001, 122880]]) {
    const path = join(folder, `${rate}.parquet`);
    await save(path, rate, groupRows);
    for (const [name, , shown] of columns) {
        const texts = (await rows(`SELECT ${shown} FROM t ORDER BY i`))
            .map(row => row[0]);
        assert.equal(texts.length, 2 * ROWS);
        const inside = texts.slice(0, ROWS).join('\n') + '\n';
        const outside = texts.slice(ROWS).join('\n') + '\n';
        const found = lines(run(inside, 'has', `${path}:${name}`));
        assert.equal(found.length, ROWS, `${name}: keys were missed`);
        const wrong = lines(run(outside, 'has', `${path}:${name}`)).length;
        const expected = rateOf(path, name);
        console.log(`${name} at ${rate}: 0 of ${ROWS} missed, ${wrong} wrong, ` +
                    `${(expected * ROWS).toFixed(0)} expected`);
        assert.ok(isBinomial(wrong, ROWS, expected), `${name}: ${wrong} wrong`);
        assert.ok(!isBinomial(wrong + ROWS / 10, ROWS, expected)); // planted
    }
}

// Row group by row group, DuckDB's probe says the same, of keys that are there
// and of keys that are not.
const path = join(folder, '0.01.parquet');
const asked = await rows(`SELECT text FROM t WHERE i % 997 = 0 ORDER BY i`);
const groups = new Map(asked.map(([text]) => [text, []]));
const printed = run(asked.map(row => row[0]).join('\n') + '\n', 'has',
                    '--row-groups', `${path}:text`);
for (const line of lines(printed)) {
    const [list, text] = line.split('\t');
    groups.set(text, list.split(',').map(Number));
}
for (const [text, ours] of groups) {
    const theirs = (await rows(`SELECT row_group_id
        FROM parquet_bloom_probe('${path}', 'text', '${text}')
        WHERE NOT bloom_filter_excludes ORDER BY row_group_id`))
        .map(row => Number(row[0]));
    assert.deepEqual(ours, theirs, text);
}
console.log(`${groups.size} keys: the same row groups as DuckDB's probe`);
