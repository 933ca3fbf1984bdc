/*
 * foreign.mjs - files of other systems, and what the command prints of them.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {gzipSync} from 'node:zlib';
import {native as build, source} from './places.mjs';

const folder = path.join(source, 'tests', 'vectors', 'foreign');
const command = path.join(build, 'seenset');

/** A vector's bytes. */
export const vector = (name) => readFileSync(path.join(folder, name));

const camel = (name) =>
    name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function renamed(value) {
    if (Array.isArray(value))
        return value.map(renamed);
    return typeof value !== 'object' || value === null ? value
        : Object.fromEntries(Object.entries(value).map(([name, inner]) =>
            [camel(name), renamed(inner)]));
}

/** What `check --json` prints of a file, by the names of JavaScript. */
export function checked(file) {
    const {stdout} = spawnSync(command, ['check', '--json', file],
        {encoding: 'utf8'});
    const {path: name, ...rest} = renamed(JSON.parse(stdout));
    return rest;
}

/** What the command complains of. */
export const complaint = (words, input = '') =>
    spawnSync(command, words, {encoding: 'utf8', input}).stderr;

/** What it prints, whatever its status. */
export const printed = (words, input = '') =>
    spawnSync(command, words, {encoding: 'utf8', input}).stdout;

/** Writes every file that is tested into `work`; returns their names. */
export function writeFiles(work, write) {
    const names = readdirSync(folder).filter((name) =>
        /\.(bloom|parquet|ldb|sst)$/.test(name));
    for (const name of names)
        write(path.join(work, name), vector(name));
    write(path.join(work, 'flor.bloom.gz'), gzipSync(vector('flor.bloom')));
    const seeds = ['bip158', 'redisbloom', 'redisbloom-chain'];
    for (const name of seeds)
        write(path.join(work, name), readFileSync(path.join(source, 'fuzz',
            'corpus', 'foreign', name)));
    const made = [['bip37', '100'], ['guava', '50'], ['dcso', '2000']];
    for (const [format, count] of made) {
        const file = path.join(work, `made.${format}`);
        execFileSync(command, ['new', '--format', format, '-n', count, '-p',
            '1%', file]);
        execFileSync(command, ['add', file], {
            input: Array.from({length: 60}, (_, i) =>
                `${(i * 7919 + 4096).toString(16).padStart(8, '0')}\n`)
                .join('')});
    }
    return [...names, ...seeds, 'flor.bloom.gz',
        ...made.map(([format]) => `made.${format}`)];
}
