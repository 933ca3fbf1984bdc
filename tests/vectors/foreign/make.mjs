// make.mjs - the Parquet files of this folder, by DuckDB:
//
//     node make.mjs MODULES       MODULES: the folder of node_modules that has
//                                 @duckdb/node-api 1.5.6-r.1
//
// people.parquet: 3,000 rows in two row groups, the columns "email" and "number".
// types.parquet: 50 rows, a column for each type that DuckDB writes.
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const {DuckDBInstance} = createRequire(resolve(process.argv[2], 'x'))(
    '@duckdb/node-api');
const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();

const save = (query, name) => connection.run(
    `COPY (${query}) TO '${join(folder, name)}' (FORMAT parquet,
     ROW_GROUP_SIZE 2048, COMPRESSION zstd, DICTIONARY_SIZE_LIMIT 100000)`);

await save(`SELECT 'p' || i || '@y.example' AS email, i::INTEGER AS number
            FROM range(3000) r(i)`, 'people.parquet');
await save(`SELECT (i * 7 - 100)::INTEGER AS i32,
                   (i * 1000000007 - 5)::BIGINT AS i64,
                   (i / 8.0)::FLOAT AS f32, (i / 10.0)::DOUBLE AS f64,
                   'text ' || i AS text, ('\\xC3' || i)::VARCHAR::BLOB AS bytes,
                   (4000000000 + i)::UINTEGER AS u32,
                   (18000000000000000000 + i)::UBIGINT AS u64,
                   md5(i::VARCHAR)::UUID AS id,
                   {'x': i::INTEGER, 'y': 'in ' || i} AS nested,
                   [i::INTEGER, (i + 1000)::INTEGER] AS list,
                   i % 2 = 0 AS flag
            FROM range(50) r(i)`, 'types.parquet');
