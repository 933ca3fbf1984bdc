/*
 * md5.mjs - MD5 (RFC 1321), as one number of 128 bits.
 *
 * One of the reference systems takes its places from this digest. It is shown,
 * not relied on: MD5 is broken against forgers.
 */
const SHIFTS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23],
    [6, 10, 15, 21]];
const SINES = Array.from({length: 64},
    (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);

/* The function of a round, and which word a step of it reads. */
const ROUNDS = [
    (b, c, d, i) => [b & c | ~b & d, i],
    (b, c, d, i) => [d & b | ~d & c, 5 * i + 1 & 15],
    (b, c, d, i) => [b ^ c ^ d, 3 * i + 5 & 15],
    (b, c, d, i) => [c ^ (b | ~d), 7 * i & 15],
];

function addBlock(state, words) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i++) {
        const round = i >> 4;
        const [mixed, from] = ROUNDS[round](b, c, d, i);
        const sum = a + mixed + SINES[i] + words[from] | 0;
        const by = SHIFTS[round][i & 3];
        [a, d, c, b] = [d, c, b, b + (sum << by | sum >>> 32 - by) | 0];
    }
    return [state[0] + a | 0, state[1] + b | 0, state[2] + c | 0,
        state[3] + d | 0];
}

/** @param {Uint8Array} text @returns {bigint} most significant byte first */
export function md5(text) {
    const padded = new Uint8Array(64 * Math.ceil((text.length + 9) / 64));
    padded.set(text);
    padded[text.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, text.length * 8, true);
    let state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
    for (let at = 0; at < padded.length; at += 64)
        state = addBlock(state, Array.from({length: 16},
            (_, i) => view.getInt32(at + 4 * i, true)));
    const out = new DataView(new ArrayBuffer(16));
    state.forEach((word, i) => out.setInt32(4 * i, word, true));
    return out.getBigUint64(0) << 64n | out.getBigUint64(8);
}
