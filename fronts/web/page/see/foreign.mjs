/*
 * foreign.mjs - the hashes of the systems that others described, for reading
 * along.
 *
 * As in derive.mjs, the library makes the places; this says from which numbers.
 * Keys are hashed as the bytes of their UTF-8, or as UTF-16 where a document's
 * language has its strings in that.
 */
import {city64, cityPlaces} from './city.mjs';
import {md5} from './md5.mjs';

const low64 = x => BigInt.asUintN(64, x);
const turn = (x, by) => low64(x << by | x >> (64n - by));

/** MurmurHash2A of 32 bits, seed 0. @param {Uint8Array} key */
export function murmur2a(key) {
    const M = 0x5bd1e995;
    const scramble = word => {
        const k = Math.imul(word, M);
        return Math.imul(k ^ k >>> 24, M);
    };
    const wordAt = (at, count) => {
        let word = 0;
        for (let i = 0; i < count; i++) word |= key[at + i] << 8 * i;
        return word;
    };
    let h = 0;
    const whole = key.length & ~3;
    for (let at = 0; at < whole; at += 4)
        h = Math.imul(h, M) ^ scramble(wordAt(at, 4));
    h = Math.imul(h, M) ^ scramble(wordAt(whole, key.length - whole));
    h = Math.imul(h, M) ^ scramble(key.length);
    h = Math.imul(h ^ h >>> 13, M);
    return (h ^ h >>> 15) >>> 0;
}

/** FNV-1a of 32 bits. */
export function fnv1a(key) {
    let h = 0x811c9dc5;
    for (const byte of key) h = Math.imul(h ^ byte, 0x01000193);
    return h >>> 0;
}

function finish(k) {
    k = low64((k ^ k >> 33n) * 0xff51afd7ed558ccdn);
    k = low64((k ^ k >> 33n) * 0xc4ceb9fe1a85ec53n);
    return k ^ k >> 33n;
}

/** The two halves of MurmurHash3_x64_128, seed 0. */
export function murmur3(key) {
    const A = 0x87c37b91114253d5n, B = 0x4cf5ad432745937fn;
    const first = k => low64(turn(low64(k * A), 31n) * B);
    const second = k => low64(turn(low64(k * B), 33n) * A);
    const padded = new Uint8Array(16 * Math.ceil((key.length + 1) / 16));
    padded.set(key);
    const view = new DataView(padded.buffer);
    const whole = key.length & ~15;
    let a = 0n, b = 0n;
    for (let at = 0; at < whole; at += 16) {
        a ^= first(view.getBigUint64(at, true));
        a = low64((turn(a, 27n) + b) * 5n + 0x52dce729n);
        b ^= second(view.getBigUint64(at + 8, true));
        b = low64((turn(b, 31n) + a) * 5n + 0x38495ab5n);
    }
    a ^= first(view.getBigUint64(whole, true)) ^ BigInt(key.length);
    b ^= second(view.getBigUint64(whole + 8, true)) ^ BigInt(key.length);
    a = low64(a + b);
    b = low64(b + a);
    a = finish(a);
    b = finish(b);
    a = low64(a + b);
    return [a, low64(b + a)];
}

/** r = seed r + unit, 32 bits: a byte, or a character of Java's. */
export function polynomial(units, seed) {
    let r = 0;
    for (const unit of units) r = Math.imul(seed, r) + unit | 0;
    return r >>> 0;
}

const utf16 = text => Array.from({length: text.length},
    (_, i) => text.charCodeAt(i));

const POLYNOMIAL_SEEDS = [5, 7, 11, 13, 31, 37, 61];
const hex = (x, digits) => x.toString(16).padStart(digits, '0');

function twoHashes(key, m) {
    const hashes = [murmur2a(key), fnv1a(key)];
    const names = ['murmur2a', 'fnv1a'];
    return {hashes: names.map((name, i) => ({name, value: hashes[i]})),
        steps: hashes.map((value, i) => ({place: value % m, how: names[i],
            values: {x: value, m}}))};
}

function doubled(key, m, k) {
    const [a, b] = murmur3(key), size = BigInt(m);
    return {hashes: [{name: 'murmur3a', value: hex(a, 16)},
        {name: 'murmur3b', value: hex(b, 16)}],
    steps: Array.from({length: k}, (_, i) => ({how: 'double', values: {i, m},
        place: Number(low64(a + BigInt(i) * b) % size)}))};
}

function seeded(key, m, k) {
    const values = POLYNOMIAL_SEEDS.slice(0, k)
        .map(seed => ({seed, x: polynomial(key, seed), m}));
    return {hashes: [{name: 'polynomial', value: values[0].x}],
        steps: values.map(v => ({place: v.x % m, how: 'seeded', values: v}))};
}

function digits(key, m, k) {
    const size = BigInt(m), steps = [], hashes = [];
    let x = 0n, text = key, dots = 0;
    for (let i = 0; i < k; i++) {
        while (x < size) {
            dots++;
            text = Uint8Array.of(...text, 46);
            x = md5(text);
            hashes.push({name: 'md5', value: hex(x, 32),
                dots: '.'.repeat(dots)});
        }
        steps.push({place: Number(x % size), how: 'digit', values: {i, m}});
        x /= size;
    }
    return {hashes, steps};
}

function cities(key, m, k) {
    const hash = city64(key);
    return {hashes: [{name: 'city', value: hex(hash, 16)}],
        steps: cityPlaces(hash, m, k).map((place, i) =>
            ({place, how: 'city', values: {i, m}}))};
}

const SCHEMES = {'murmur2a+fnv1a': twoHashes, 'murmur3-128': doubled,
    polynomial: seeded, 'md5-divmod': digits, 'clickhouse-bloom': cities};

/**
 * @param {string} scheme @param {string} key
 * @param {number} [unitBits] 16: by its UTF-16, else by its bytes
 * @returns {{hashes: object[], steps: import('./derive.mjs').Step[]}|null}
 *   null: a scheme that is not explained here
 */
export function foreignSteps(scheme, key, m, k, unitBits) {
    const units = unitBits === 16 ? utf16(key)
        : new TextEncoder().encode(key);
    return SCHEMES[scheme]?.(units, m, k) ?? null;
}
