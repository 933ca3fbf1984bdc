/*
 * derive.mjs - from a hash to places, step by step, for reading along.
 *
 * The places that the page draws come from the C library. Here the arithmetic
 * of docs/format.md is done again, slowly, so that each place can be shown with
 * the number that it came from:
 *
 *     x[0] = hash     x[i+1] = (x[i] XOR x[i] >> 32) * 0x9E3779B97F4A7C15
 *     place i of m    = floor(x[i] m / 2^64)
 *
 * A test holds both against each other for hundreds of keys.
 */
const FACTOR = 0x9e3779b97f4a7c15n;
const low64 = x => BigInt.asUintN(64, x);
const step = x => low64((x ^ (x >> 32n)) * FACTOR);
const range = (x, r) => Number((x * BigInt(r)) >> 64n);

/** A hash as 16 hexadecimal digits. */
export const hex = x => x.toString(16).padStart(16, '0');

/** @typedef {{place: number, how: string, values: object}} Step */

/** @returns {Step[]} k places anywhere among m */
export function classicSteps(hash, m, k) {
    const steps = [];
    let x = hash;
    for (let i = 0; i < k; i++, x = step(x))
        steps.push({place: range(x, m), how: 'chain',
            values: {i, x: hex(x), m}});
    return steps;
}

/** @returns {Step[]} a line of 512 bits in each region, a bit in each word */
export function blockedSteps(hash, m, k) {
    const regions = k / 8, lines = m / 512 / regions, steps = [];
    let x = hash;
    for (let region = 0; region < regions; region++) {
        const line = region * lines + range(x, lines);
        x = step(x);
        for (let w = 0; w < 8; w++) {
            const bit = Number(x >> BigInt(16 + 6 * w) & 63n);
            steps.push({place: line * 512 + 64 * w + bit, how: 'line',
                values: {line, word: w, bit}});
        }
        x = step(x);
    }
    return steps;
}

const SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7,
    0x2df1424b, 0x9efc4947, 0x5c6bfb31];

/** @returns {Step[]} one block of 256 bits, a bit in each word of 32 */
export function splitSteps(hash, m) {
    const blocks = BigInt(m / 256);
    const block = Number(((hash >> 32n) * blocks) >> 32n);
    const lower = Number(hash & 0xffffffffn);
    return SALT.map((salt, word) => {
        const bit = Math.imul(lower, salt) >>> 27;
        return {place: block * 256 + 32 * word + bit, how: 'block',
            values: {block, word, bit}};
    });
}

/**
 * The shape of a sealed table, from its file (docs/format.md, record 0).
 * @param {Uint8Array} file
 */
export function sealedShape(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const number = at => Number(view.getBigUint64(at, true));
    return {arity: view.getUint32(136, true), payload: number(168),
        bits: view.getUint32(200, true), segment: number(208),
        segments: number(216), seed: view.getBigUint64(224, true)};
}

/** The value of a slot: bits of the file, the least first. */
export function slotValue(file, shape, slot) {
    const first = slot * shape.bits;
    let value = 0;
    for (let i = shape.bits - 1; i >= 0; i--) {
        const byte = file[shape.payload + Math.floor((first + i) / 8)];
        value = value * 2 + (byte >> (first + i) % 8 & 1);
    }
    return value;
}

/**
 * The slots of a hash in a sealed table, and the fingerprint that their values
 * must make, by XOR, if it was built in.
 */
export function sealedSteps(hash, file) {
    const shape = sealedShape(file), length = BigInt(shape.segment);
    const x = step(step(low64(hash + shape.seed * FACTOR)));
    const y = step(x);
    const fingerprint = Number(step(y) >> BigInt(64 - shape.bits));
    const first = range(x, shape.segment * shape.segments);
    const slots = [first];
    for (let i = 1; i < shape.arity; i++)
        slots.push((first + i * shape.segment) ^
            Number((y >> BigInt(64 - 20 * i)) % length));
    const values = slots.map(slot => slotValue(file, shape, slot));
    return {slots, values, fingerprint, bits: shape.bits,
        made: values.reduce((all, value) => (all ^ value) >>> 0, 0)};
}
