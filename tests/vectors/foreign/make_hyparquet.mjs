// make_hyparquet.mjs - hyparquet.parquet of this folder, by hyparquet-writer:
//
//     node make_hyparquet.mjs MODULES     MODULES: the folder of node_modules
//                                         that has hyparquet-writer 0.17.0
//
// 2,000 rows in two row groups. The filters of "city" have 14 values each, those
// of "visit" the size that they need, and those of "price" too few bytes.
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const {parquetWriteFile} = await import(pathToFileURL(
    resolve(process.argv[2], 'hyparquet-writer/src/node.js')));
const column = (name, type, bloomFilter, make) =>
    ({name, type, bloomFilter, data: Array.from({length: 2000}, make)});
await parquetWriteFile({
    filename: join(folder, 'hyparquet.parquet'),
    rowGroupSize: 1000,
    columnData: [
        column('city', 'STRING', {maxBytes: 4096}, (_, i) => 'city ' + i % 14),
        column('visit', 'INT64', {fpp: 0.001}, (_, i) => BigInt(i) * 1000003n),
        column('price', 'DOUBLE', {fpp: 0.01, maxBytes: 512}, (_, i) => i / 4),
    ],
});
