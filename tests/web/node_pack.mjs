/* The npm package: packed, installed in an empty folder without a network, and
 * used from there, with nothing in it that is not meant to be. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync}
    from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';
import {gzipSync} from 'node:zlib';
import {moduleFolder, libraries, native, newPath, someKeys, source}
    from './support/module.mjs';

const MOST_MODULE_BYTES = 131000; // gzipped, for each build
const modules = ['seenset.wasm', 'seenset-plain.wasm', 'seenset-foreign.wasm'];

const work = mkdtempSync(path.join(tmpdir(), 'seenset-pack-'));
after(() => rmSync(work, {recursive: true}));

function run(command, args, folder) {
    return execFileSync(command, args, {cwd: folder, encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {...process.env, npm_config_cache: path.join(work, 'cache'),
            npm_config_update_notifier: 'false'}});
}

const program = `
import {load, SeensetError} from 'seenset';
const {SeenSet, version} = await load();
const set = new SeenSet({capacity: 1000});
console.log(version, set.add('a'), set.add('a'), set.has('b'));
(await import('node:fs')).writeFileSync(process.argv[2], set.save());
set.free();
try {
    set.has('a');
} catch (error) {
    console.log(error instanceof SeensetError);
}
`;

test('pack_is_installed_and_used', () => {
    const [packed] = JSON.parse(run('npm', ['pack', '--json',
        '--pack-destination', work], moduleFolder));
    const names = packed.files.map(({path}) => path).sort();
    assert.deepEqual(names.filter((name) => !name.endsWith('.mjs')), [
        'LICENSE', 'README.md', 'foreign.cjs', 'foreign.d.cts',
        'foreign.d.ts', 'inline.d.ts', 'package.json',
        'seenset-foreign.wasm', 'seenset-plain.wasm', 'seenset.cjs', 'seenset.d.cts', 'seenset.d.ts',
        'seenset.wasm']);
    writeFileSync(path.join(work, 'package.json'), '{"private": true}');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund',
        path.join(work, packed.filename)], work);
    writeFileSync(path.join(work, 'program.mjs'), program);
    const file = newPath();
    const said = run(process.execPath, ['program.mjs', file], work);
    assert.equal(said, `${libraries.simd.version} true false false\ntrue\n`);
    assert.equal(JSON.parse(native(['info', '--json', file])).added_items, 1);
});

/* By require(), where that takes modules and where it does not. */
const required = `
const {load} = require('seenset');
load().then(({SeenSet}) => {
    const set = new SeenSet({capacity: 1000});
    console.log(set.add('a'), set.add('a'));
    try {
        new SeenSet({capacity: -1});
    } catch (error) {
        console.log(error.name, error.errorName);
    }
});
`;

test('pack_is_required', () => {
    writeFileSync(path.join(work, 'required.cjs'), required);
    for (const options of [[], ['--no-experimental-require-module']]) {
        if (!options.every((option) =>
            process.allowedNodeEnvironmentFlags.has(option)))
            continue;
        assert.equal(run(process.execPath, [...options, 'required.cjs'], work),
            'true false\nSeensetError SEENSET_EINVAL\n');
    }
});

test('pack_has_its_module_in_it', () => {
    const inline = program.replace("'seenset'", "'seenset/inline'");
    writeFileSync(path.join(work, 'inline.mjs'), inline);
    assert.equal(run(process.execPath, ['inline.mjs', newPath()], work),
        `${libraries.simd.version} true false false\ntrue\n`);
});

test('pack_opens_files_of_other_systems', () => {
    const file = path.join(source, 'tests/vectors/foreign/flor.bloom');
    const said = `.then((file) =>
    console.log(file.has('key 7'), file.check().filters[0].verdict));`;
    const open = `openForeign(require('node:fs').readFileSync('${file}'))`;
    writeFileSync(path.join(work, 'foreign.cjs'),
        `const {openForeign} = require('seenset/foreign');\n${open}${said}`);
    writeFileSync(path.join(work, 'foreign.mjs'),
        `import {createRequire} from 'node:module';
import {openForeign} from 'seenset/foreign';
const require = createRequire(import.meta.url);\n${open}${said}`);
    for (const name of ['foreign.cjs', 'foreign.mjs'])
        assert.equal(run(process.execPath, [name], work), 'true sound\n');
});

test('pack_has_the_librarys_version', () => {
    const {version} = JSON.parse(readFileSync(
        path.join(moduleFolder, 'package.json'), 'utf8'));
    assert.equal(version, libraries.simd.version);
    assert.equal(version, libraries.plain.version);
});

test('pack_modules_are_small', () => {
    for (const name of modules) {
        const bytes = readFileSync(path.join(moduleFolder, name));
        const size = gzipSync(bytes, {level: 9}).length;
        assert.ok(size < MOST_MODULE_BYTES, `${name}: ${size}`);
        assert.ok(size > 20000, `${name} is hardly anything: ${size}`);
    }
});

test('pack_modules_ask_the_host_for_six_functions', () => {
    for (const name of modules) {
        const module = new WebAssembly.Module(
            readFileSync(path.join(moduleFolder, name)));
        const wanted = WebAssembly.Module.imports(module)
            .map((asked) => `${asked.module}.${asked.name}`).sort();
        assert.deepEqual(wanted, ['host.file_bytes', 'host.fill_random',
            'host.read_file', 'host.steady_ms', 'host.take_piece',
            'host.wall_ms'].filter((name) => wanted.includes(name)));
    }
});

test('pack_folder_is_what_the_sources_are', () => {
    const from = path.join(source, 'fronts', 'web', 'module');
    for (const name of ['seenset.mjs', 'seenset.cjs', 'inline.mjs',
        'seenset.d.ts', 'README.md']) {
        assert.ok(statSync(path.join(moduleFolder, name)).size > 0);
        assert.deepEqual(readFileSync(path.join(moduleFolder, name)),
            readFileSync(path.join(from, name)));
    }
});

/* In worker threads: each has a library of its own, and sets go from one to the
 * other as the bytes of their files. */
const THREADS = 4;
const inThreads = `
const {parentPort, workerData} = require('node:worker_threads');
import(workerData.module).then(async ({load}) => {
    const {SeenSet, shard} = await load();
    const seen = new SeenSet({capacity: 20000, fpRate: 1e-9});
    for (const key of workerData.keys)
        if (shard(key, workerData.threads) === workerData.index)
            seen.add(key);
    const file = seen.save();
    parentPort.postMessage({file, added: seen.info().addedItems},
        [file.buffer]);
    seen.free();
});
`;

/** What a thread has to say about its share of the keys. */
function inThread(name, keys, index) {
    const module = pathToFileURL(path.join(moduleFolder, name)).href;
    return new Promise((done, failed) => {
        const worker = new Worker(inThreads, {eval: true, workerData:
            {module, keys, index, threads: THREADS}});
        worker.once('message', done);
        worker.once('error', failed);
    });
}

for (const name of ['seenset.mjs', 'inline.mjs'])
    test(`pack_in_workers_shares_keys_out_by_${name.replace(/\W/g, '_')}`, async () => {
        const keys = someKeys(5000);
        const parts = await Promise.all(Array.from({length: THREADS},
            (_, index) => inThread(name, keys, index)));
        const {SeenSet} = libraries.simd;
        const all = new SeenSet({capacity: 20000, fpRate: 1e-9});
        for (const {file, added} of parts) {
            assert.ok(added > 0 && added < keys.length);
            const part = SeenSet.open(file);
            all.merge(part);
            part.free();
        }
        assert.equal(parts.reduce((sum, {added}) => sum + added, 0),
            new Set(keys).size);
        assert.ok(all.hasMany(keys).every((answer) => answer === 1));
        assert.ok(all.hasMany(someKeys(5000, 2)).every((seen) => seen === 0));
        all.free();
    });
