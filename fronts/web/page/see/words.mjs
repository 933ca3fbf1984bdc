/*
 * words.mjs - random words, all different, and others that are never added.
 *
 * Four syllables of 64 are 2^24 words. Multiplying by an odd number and folding
 * the upper half in maps the numbers below 2^24 onto themselves, so word i
 * looks like chance, and no two are equal. The lower half of the numbers is for
 * adding; the upper half is for strangers, of which every "seen" is wrong.
 */
const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeio';
const HALF = 2 ** 23;

/** @param {number} i from 0 to 2^24 - 1 */
export function word(i) {
    let x = Math.imul(i, 0x9e3779b1) & 0xffffff;
    x ^= x >>> 12;
    x = Math.imul(x, 0x85ebca6b) & 0xffffff;
    x ^= x >>> 11;
    let text = '';
    for (let s = 0; s < 4; s++, x >>>= 6)
        text += CONSONANTS[x & 15] + VOWELS[x >>> 4 & 3];
    return text;
}

/** @param {string[]} keys @returns what addMany and hasMany take */
export function batchOf(keys) {
    const data = new TextEncoder().encode(keys.join(''));
    const offsets = new Uint32Array(keys.length + 1);
    const isPlain = data.length === keys.reduce((sum, k) => sum + k.length, 0);
    if (!isPlain) return keys;
    keys.forEach((key, i) => { offsets[i + 1] = offsets[i] + key.length; });
    return {data, offsets};
}

/** Word i of those that are never added. */
export const stranger = i => word(HALF + i);

/** How many of them are asked at a time. */
export const STRANGERS = 20000;

let first;

/** Those from `from` on; the first ones are made once. */
export function strangerBatch(from = 0) {
    const make = () => batchOf(Array.from({length: STRANGERS},
        (_, i) => stranger(from + i)));
    if (from > 0) return make();
    first ??= make();
    return first;
}
