/*
 * module.mjs - both builds of the JavaScript module, beside the native command.
 *
 * The command is the oracle: what the module says and writes must be what
 * `seenset` says and writes.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {after} from 'node:test';
import {pathToFileURL} from 'node:url';
import {native as build, site, source} from './places.mjs';

export {build, site, source};
export const moduleFolder = path.join(site, 'module');
export const seenset = await import(
    pathToFileURL(path.join(moduleFolder, 'seenset.mjs')));
export const {load, SeensetError} = seenset;

/** The builds by name, each with a memory of its own. */
export const libraries = {
    simd: await load({simd: true}),
    plain: await load({simd: false}),
};

export const golden = path.join(source, 'tests', 'vectors', 'golden');

const command = path.join(build, 'seenset');
const work = mkdtempSync(path.join(tmpdir(), 'seenset-module-'));
after(() => rmSync(work, {recursive: true}));
let made = 0;

/** A name for a file that is not there yet. */
export function newPath() {
    made += 1;
    return path.join(work, `set-${made}.seen`);
}

/** A file with these bytes. */
export function written(bytes) {
    const name = newPath();
    writeFileSync(name, bytes, {mode: 0o600}); // it may be a secret
    return name;
}

export {readFileSync as bytesOf};

/** What the command prints; throws where it fails. */
export function native(args, input = '', env = {}) {
    return execFileSync(command, args, {
        input, encoding: 'utf8', maxBuffer: 1 << 28,
        env: {...process.env, LC_ALL: 'C', ...env},
        stdio: ['pipe', 'pipe', 'pipe'],
    });
}

/** Its exit status and what it complains of. */
export function nativeFailure(args, input = '') {
    const {status, stderr} = spawnSync(command, args, {
        input, encoding: 'utf8', env: {...process.env, LC_ALL: 'C'}});
    return {status, message: stderr};
}

/** Keys that are the same each time: words, of 1 to some 40 bytes. */
export function someKeys(count, seed = 1) {
    let state = seed >>> 0;
    const next = () => {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return state;
    };
    return Array.from({length: count}, (_, i) => {
        const tail = 'a/page?q=ü&x'.repeat(3).slice(0, next() >>> 27);
        return `${next().toString(36)}-${seed}-${i}${tail}`;
    });
}

/** Keys as lines, for the command. */
export const asLines = (keys) => keys.map((key) => `${key}\n`).join('');

/** Keys as bytes and offsets. */
export function asBatch(keys) {
    const encoded = keys.map((key) => Buffer.from(key));
    const offsets = new Uint32Array(keys.length + 1);
    encoded.forEach((key, i) => {
        offsets[i + 1] = offsets[i] + key.length;
    });
    return {data: new Uint8Array(Buffer.concat(encoded)), offsets};
}

/** What a call throws: a SeensetError of that name, or the test fails. */
export function refusal(name, call) {
    try {
        call();
    } catch (error) {
        if (error instanceof SeensetError && error.errorName === name)
            return error;
        throw error;
    }
    throw new Error(`nothing was thrown, not even ${name}`);
}
