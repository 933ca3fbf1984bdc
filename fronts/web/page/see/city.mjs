/*
 * city.mjs - CityHash64 of version 1.0.2 (Pike and Alakuijala), which
 * ClickHouse's bloom_filter index starts from, and its k places.
 *
 * docs/format.md has mix and the factors of the places. As in foreign.mjs, the
 * library makes the places; this is for reading along.
 */
const K0 = 0xc3a5c85c97cb3127n, K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn, K3 = 0xc949d7c7509e6557n;
const MIX = 0x9ddfea08eb382d69n;
const FACTORS = [13635471485423070496n, 10336109063487487899n,
    17779957404565211594n, 8988612159822229247n, 4954614162757618085n,
    12980113590177089081n, 9263883436177860930n, 3656772712723269762n,
    10362091744962961274n, 7582936617938287249n, 15033938188484401405n,
    18286745649494826751n, 6852245486148412312n, 8886056245089344681n,
    10151472371158292780n];

const low = x => BigInt.asUintN(64, x);
const fold = x => x ^ x >> 47n;
const right = (x, by) => low(x >> BigInt(by) | x << BigInt(64 - by));

function mix(u, v) {
    const a = fold(low((u ^ v) * MIX));
    return low(fold(low((v ^ a) * MIX)) * MIX);
}

/** A key, and the little-endian numbers in it. */
class Reader {
    #view;
    constructor(key) {
        this.key = key;
        this.#view = new DataView(key.buffer, key.byteOffset, key.length);
    }
    at8(at) { return this.#view.getBigUint64(at, true); }
    at4(at) { return BigInt(this.#view.getUint32(at, true)); }
}

function upTo16(read, len) {
    const n = BigInt(len), {key} = read;
    if (len > 8) {
        const b = read.at8(len - 8);
        return mix(read.at8(0), right(low(b + n), len)) ^ b;
    }
    if (len >= 4) return mix(n + (read.at4(0) << 3n), read.at4(len - 4));
    if (len === 0) return K2;
    const y = BigInt(key[0] + 256 * key[len >> 1]);
    const z = BigInt(len + 4 * key[len - 1]);
    return low(fold(low(y * K2) ^ low(z * K3)) * K2);
}

function upTo32(read, len) {
    const a = low(read.at8(0) * K1), b = read.at8(8);
    const c = low(read.at8(len - 8) * K2), d = low(read.at8(len - 16) * K0);
    return mix(low(right(low(a - b), 43) + right(c, 30) + d),
        low(a + right(b ^ K3, 20) - c + BigInt(len)));
}

function half(a, z, next, after) {
    const b = right(low(a + z), 52);
    let c = right(a, 37);
    a = low(a + next);
    c = low(c + right(a, 7));
    a = low(a + after);
    return [low(a + z), low(b + right(a, 31) + c)];
}

function upTo64(read, len) {
    const at = i => read.at8(i);
    const [vf, vs] = half(low(at(0) + (BigInt(len) + at(len - 16)) * K0),
        at(24), at(8), at(16));
    const [wf, ws] = half(low(at(16) + at(len - 32)), at(len - 8),
        at(len - 24), at(len - 16));
    const r = fold(low((vf + ws) * K2 + (wf + vs) * K0));
    return low(fold(low(r * K0 + vs)) * K2);
}

function weak(read, at, a, b) {
    const [w, x, y, z] = [0, 8, 16, 24].map(i => read.at8(at + i));
    a = low(a + w);
    b = right(low(b + a + z), 21);
    const first = a;
    a = low(a + x + y);
    return [low(a + z), low(low(b + right(a, 44)) + first)];
}

function longer(read, len) {
    let x = read.at8(0), y = read.at8(len - 16) ^ K1;
    let z = read.at8(len - 56) ^ K0;
    let v = weak(read, len - 64, BigInt(len), y);
    let w = weak(read, len - 32, low(BigInt(len) * K1), K0);
    z = low(z + fold(v[1]) * K1);
    x = low(right(low(z + x), 39) * K1);
    y = low(right(y, 33) * K1);
    for (let at = 0; at < len - 1 - (len - 1) % 64; at += 64) {
        const was = [v, w];
        x = low(right(low(x + y + v[0] + read.at8(at + 16)), 37) * K1) ^ w[1];
        y = low(right(low(y + v[1] + read.at8(at + 48)), 42) * K1) ^ v[0];
        z = right(z ^ w[0], 33);
        v = weak(read, at, low(was[0][1] * K1), low(x + was[1][0]));
        w = weak(read, at + 32, low(z + was[1][1]), y);
        [x, z] = [z, x];
    }
    return mix(low(mix(v[0], w[0]) + fold(y) * K1 + z),
        low(mix(v[1], w[1]) + x));
}

/** @param {Uint8Array} key */
export function city64(key) {
    const read = new Reader(key), len = key.length;
    return len <= 16 ? upTo16(read, len) : len <= 32 ? upTo32(read, len)
        : len <= 64 ? upTo64(read, len) : longer(read, len);
}

/** Place i of the bloom_filter index: mix(CityHash64, b[i]) mod m. */
export function cityPlaces(hash, m, k) {
    return FACTORS.slice(0, k).map(factor =>
        Number(mix(hash, factor) % BigInt(m)));
}
