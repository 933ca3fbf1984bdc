// scheme_oracle.mjs - places of keys under schemes that have arguments.
//
// Writes golden/schemes-expected.txt, a line for each key and scheme. The tests
// compare the library with that file and so need no Node:
//
//     node tests/vectors/scheme_oracle.mjs           writes the file
//     node tests/vectors/scheme_oracle.mjs --check   exits 1 if it would change
//     node tests/vectors/scheme_oracle.mjs --city    reads lines "hex seed" and
//                     prints the CityHash64 of each, plain and with the seed
//
// Written from descriptions of the algorithms, on numbers of any size, and
// shares nothing with src/. JavaScript's own strings are made of UTF-16.
// --city is for holding the hash against ClickHouse itself: the functions
// CityHash_v1_0_2::CityHash64 and CityHash64WithSeed of Debian's
// libclickhouse.so.18.16 agree for keys of 0 to 399, 1000, 4096 and 100000
// bytes.
//
// A line: scheme seed unit seeds m k key places. The key is in hexadecimal;
// "-" is nothing.
import { readFileSync, writeFileSync } from "node:fs";

const expectedFile = new URL("golden/schemes-expected.txt", import.meta.url);
const low = (x, bits) => BigInt.asUintN(bits, x);

function little(bytes, at, count) {
  let value = 0n;
  for (let i = count - 1; i >= 0; i--)
    value = (value << 8n) | BigInt(bytes[at + i]);
  return value;
}

const rotateLeft = (x, by, bits) =>
  low((x << BigInt(by)) | (x >> BigInt(bits - by)), bits);

// ---- MurmurHash2A and MurmurHash3_x64_128 ----

function murmur2a(key, seed) {
  const m = 0x5bd1e995n;
  const stir = (h, k) => {
    k = low(k * m, 32);
    k ^= k >> 24n;
    return low(h * m, 32) ^ low(k * m, 32);
  };
  let h = BigInt(seed);
  const whole = key.length - (key.length % 4);
  for (let at = 0; at < whole; at += 4) h = stir(h, little(key, at, 4));
  h = stir(h, little(key, whole, key.length % 4));
  h = stir(h, BigInt(key.length));
  h ^= h >> 13n;
  h = low(h * m, 32);
  return h ^ (h >> 15n);
}

function fnv1a(key) {
  let h = 2166136261n;
  for (const byte of key) h = low((h ^ BigInt(byte)) * 16777619n, 32);
  return h;
}

// What C makes of plain char that is signed: -128 to 127, as 32 bits.
function fnv1aSigned(key) {
  let h = 2166136261n;
  for (const byte of new Int8Array(key))
    h = low((h ^ low(BigInt(byte), 32)) * 16777619n, 32);
  return h;
}

function murmur3(key, seed) {
  const c = [0x87c37b91114253d5n, 0x4cf5ad432745937fn];
  const first = (k) => low(rotateLeft(low(k * c[0], 64), 31, 64) * c[1], 64);
  const second = (k) => low(rotateLeft(low(k * c[1], 64), 33, 64) * c[0], 64);
  const finish = (k) => {
    k = low((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn, 64);
    k = low((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n, 64);
    return k ^ (k >> 33n);
  };
  let a = BigInt(seed);
  let b = a;
  const whole = key.length - (key.length % 16);
  for (let at = 0; at < whole; at += 16) {
    a ^= first(little(key, at, 8));
    a = low((rotateLeft(a, 27, 64) + b) * 5n + 0x52dce729n, 64);
    b ^= second(little(key, at + 8, 8));
    b = low((rotateLeft(b, 31, 64) + a) * 5n + 0x38495ab5n, 64);
  }
  const rest = [...key.slice(whole), ...Array(16).fill(0)];
  b ^= second(little(rest, 8, 8));
  a ^= first(little(rest, 0, 8));
  a ^= BigInt(key.length);
  b ^= BigInt(key.length);
  a = low(a + b, 64);
  b = low(b + a, 64);
  a = finish(a);
  b = finish(b);
  a = low(a + b, 64);
  return [a, low(b + a, 64)];
}

// ---- CityHash64, version 1.0.2 ----

const k0 = 0xc3a5c85c97cb3127n,
  k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn,
  k3 = 0xc949d7c7509e6557n;
const right = (x, by) => rotateLeft(x, 64 - by, 64);
const shiftMix = (x) => x ^ (x >> 47n);

function mix(u, v) {
  const multiplier = 0x9ddfea08eb382d69n;
  const a = shiftMix(low((u ^ v) * multiplier, 64));
  const b = shiftMix(low((v ^ a) * multiplier, 64));
  return low(b * multiplier, 64);
}

function weak(s, at, a, b) {
  const [w, x, y, z] = [0, 8, 16, 24].map((i) => little(s, at + i, 8));
  a = low(a + w, 64);
  b = right(low(b + a + z, 64), 21);
  const c = a;
  a = low(a + x + y, 64);
  b = low(b + right(a, 44), 64);
  return [low(a + z, 64), low(b + c, 64)];
}

function short(s, len, n) {
  if (len > 8) {
    const b = little(s, len - 8, 8);
    return mix(little(s, 0, 8), right(low(b + n, 64), len)) ^ b;
  }
  if (len >= 4) return mix(n + (little(s, 0, 4) << 3n), little(s, len - 4, 4));
  if (len === 0) return k2;
  const y = BigInt(s[0] + 256 * s[len >> 1]);
  const z = BigInt(len + 4 * s[len - 1]);
  return low(shiftMix(low(y * k2, 64) ^ low(z * k3, 64)) * k2, 64);
}

function middle(s, len, n) {
  const a = low(little(s, 0, 8) * k1, 64),
    b = little(s, 8, 8);
  const c = low(little(s, len - 8, 8) * k2, 64);
  const d = low(little(s, len - 16, 8) * k0, 64);
  return mix(
    low(right(low(a - b, 64), 43) + right(c, 30) + d, 64),
    low(a + right(b ^ k3, 20) - c + n, 64),
  );
}

function half(a, z, next, after) {
  let b = right(low(a + z, 64), 52);
  let c = right(a, 37);
  a = low(a + next, 64);
  c = low(c + right(a, 7), 64);
  a = low(a + after, 64);
  return [low(a + z, 64), low(b + right(a, 31) + c, 64)];
}

function sixtyFour(s, len, n) {
  const at = (i) => little(s, i, 8);
  const [vf, vs] = half(
    low(at(0) + (n + at(len - 16)) * k0, 64),
    at(24),
    at(8),
    at(16),
  );
  const [wf, ws] = half(
    low(at(16) + at(len - 32), 64),
    at(len - 8),
    at(len - 24),
    at(len - 16),
  );
  const r = shiftMix(low((vf + ws) * k2 + (wf + vs) * k0, 64));
  return low(shiftMix(low(r * k0 + vs, 64)) * k2, 64);
}

function city64(s) {
  const len = s.length,
    n = BigInt(len);
  if (len <= 16) return short(s, len, n);
  if (len <= 32) return middle(s, len, n);
  if (len <= 64) return sixtyFour(s, len, n);
  let x = little(s, 0, 8);
  let y = little(s, len - 16, 8) ^ k1;
  let z = little(s, len - 56, 8) ^ k0;
  let v = weak(s, len - 64, n, y);
  let w = weak(s, len - 32, low(n * k1, 64), k0);
  z = low(z + shiftMix(v[1]) * k1, 64);
  x = low(right(low(z + x, 64), 39) * k1, 64);
  y = low(right(y, 33) * k1, 64);
  for (let at = 0; at < len - 1 - ((len - 1) % 64); at += 64) {
    x =
      low(right(low(x + y + v[0] + little(s, at + 16, 8), 64), 37) * k1, 64) ^
      w[1];
    y =
      low(right(low(y + v[1] + little(s, at + 48, 8), 64), 42) * k1, 64) ^ v[0];
    z = right(z ^ w[0], 33);
    const older = [v, w];
    v = weak(s, at, low(older[0][1] * k1, 64), low(x + older[1][0], 64));
    w = weak(s, at + 32, low(z + older[1][1], 64), y);
    [x, z] = [z, x];
  }
  return mix(
    low(mix(v[0], w[0]) + shiftMix(y) * k1 + z, 64),
    low(mix(v[1], w[1]) + x, 64),
  );
}

const city64WithSeed = (s, seed) => mix(low(city64(s) - k2, 64), seed);

// ---- UTF-16 ----

// The text that these bytes are, or null.
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
  } catch {
    return null;
  }
}

function utf16(key) {
  const units = [];
  for (let at = 0; at < key.length;) {
    let length = 1;
    let text = null;
    for (; length <= 4 && text === null; length++)
      if (at + length <= key.length) text = decode(key.slice(at, at + length));
    if (text === null) units.push(0xdc00 + key[at++]);
    else {
      for (let i = 0; i < text.length; i++) units.push(text.charCodeAt(i));
      at += length - 1;
    }
  }
  return units;
}

// ---- schemes: place i of a key ----

const bloomSeeds = [
  13635471485423070496n,
  10336109063487487899n,
  17779957404565211594n,
  8988612159822229247n,
  4954614162757618085n,
  12980113590177089081n,
  9263883436177860930n,
  3656772712723269762n,
  10362091744962961274n,
  7582936617938287249n,
  15033938188484401405n,
  18286745649494826751n,
  6852245486148412312n,
  8886056245089344681n,
  10151472371158292780n,
];

const schemes = {
  "murmur2a+fnv1a": (key, with_) => {
    const hashes = [murmur2a(key, with_.seed), fnv1a(key)];
    return (i) => hashes[i] % with_.m;
  },
  "murmur2a+fnv1a-signed": (key, with_) => {
    const hashes = [murmur2a(key, with_.seed), fnv1aSigned(key)];
    return (i) => hashes[i] % with_.m;
  },
  "murmur3-128": (key, with_) => {
    const [a, b] = murmur3(key, with_.seed);
    return (i) => low(a + BigInt(i) * b, 64) % with_.m;
  },
  polynomial: (key, with_) => {
    const units = with_.unit === 16 ? utf16(key) : [...key];
    return (i) =>
      units.reduce(
        (r, unit) => low(BigInt(with_.seeds[i]) * r + BigInt(unit), 32),
        0n,
      ) % with_.m;
  },
  "clickhouse-bloom": (key, with_) => {
    const hash = city64(key);
    return (i) => mix(hash, bloomSeeds[i]) % with_.m;
  },
  "clickhouse-tokenbf": (key, with_) => {
    const a = city64WithSeed(key, with_.seed);
    const b = city64WithSeed(
      key,
      low(845897321n * with_.seed + 217728422n, 64),
    );
    return (i) => low(a + BigInt(i) * b + BigInt(i * i), 64) % with_.m;
  },
};

// ---- what is asked ----

const primes = [5, 7, 11, 13, 31, 37, 61];
const many = Array.from(
  { length: 255 },
  (_, i) => (i * 2654435761 + 1) % 2 ** 32,
);
const shapes = [
  ["murmur2a+fnv1a", { seed: 1n, m: 8192n, k: 2 }],
  ["murmur2a+fnv1a", { seed: 4294967295n, m: 4294967296n, k: 2 }],
  ["murmur2a+fnv1a-signed", { seed: 0n, m: 8192n, k: 2 }],
  ["murmur2a+fnv1a-signed", { seed: 7n, m: 4294967296n, k: 2 }],
  ["murmur3-128", { seed: 1n, m: 9585058n, k: 7 }],
  ["murmur3-128", { seed: 4294967295n, m: 9007199254740991n, k: 3 }],
  ["polynomial", { unit: 16, seeds: primes, m: 33554432n, k: 7 }],
  ["polynomial", { unit: 8, seeds: [31], m: 65536n, k: 1 }],
  [
    "polynomial",
    { unit: 16, seeds: [31, 131, 1313, 4294967295], m: 4294967296n, k: 4 },
  ],
  ["polynomial", { unit: 8, seeds: many, m: 1048576n, k: 255 }],
  ["clickhouse-bloom", { m: 80n, k: 15 }],
  ["clickhouse-bloom", { m: 1048568n, k: 7 }],
  ["clickhouse-tokenbf", { seed: 0n, m: 2048n, k: 3 }],
  ["clickhouse-tokenbf", { seed: 1n, m: 8589934592n, k: 5 }],
  ["clickhouse-tokenbf", { seed: 18446744073709551615n, m: 1000000n, k: 20 }],
];

const texts = [
  "",
  "a",
  "hello",
  "seenset",
  "http://example.com/",
  "Блум",
  "http://пример.рф/",
  "鍵",
  "\u{1F600}",
  "a\u{1F600}b\u{10FFFF}",
  "\uFEFFbom",
  "\u0000\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFF\u{10000}",
  "𝄞".repeat(40),
];
// lone and overlong bytes, surrogates, past the last character, cut characters
const broken = [
  "80",
  "ff",
  "c080",
  "c1bf",
  "e08080",
  "e09fbf",
  "eda080",
  "edbfbf",
  "eda0bdedb880",
  "f08f8080",
  "f0808080",
  "f4908080",
  "f5808080",
  "c3",
  "e2",
  "e282",
  "f0",
  "f09f",
  "f09f98",
  "61c362",
  "61e28262",
  "f09f9861",
  "fefffdfc",
  "c3a9c3",
  "80f09f988080",
];

function keys() {
  const out = texts.map((text) => new TextEncoder().encode(text));
  for (const hex of broken) out.push(Uint8Array.from(Buffer.from(hex, "hex")));
  for (const length of [
    2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 66, 127,
    128, 129, 192, 193, 300,
  ])
    out.push(
      Uint8Array.from(
        { length },
        (_, i) => (i * 151 + length * 7 + (i >> 3)) % 256,
      ),
    );
  return out;
}

const hexOf = (bytes) => Buffer.from(bytes).toString("hex") || "-";

// All shapes for the texts, and half of them for the other keys.
function lines() {
  const out = [];
  keys().forEach((key, number) =>
    shapes.forEach(([scheme, with_], shape) => {
      if (
        with_.k === 255
          ? number % 20 !== 3
          : number >= texts.length && (shape + number) % 2 !== 0
      )
        return;
      const place = schemes[scheme](key, with_);
      const places = Array.from({ length: with_.k }, (_, i) => place(i));
      out.push(
        [
          scheme,
          with_.seed ?? "-",
          with_.unit ?? "-",
          with_.seeds?.join() ?? "-",
          with_.m,
          with_.k,
          hexOf(key),
          ...places,
        ].join(" "),
      );
    }),
  );
  return out;
}

function main(option) {
  if (option === "--city") {
    for (const line of readFileSync(0, "utf8").split("\n").slice(0, -1)) {
      const [hex, seed] = line.split(" ");
      const key = Buffer.from(hex === "-" ? "" : hex, "hex");
      console.log(`${city64(key)} ${city64WithSeed(key, BigInt(seed))}`);
    }
    return;
  }
  const text = lines().join("\n") + "\n";
  if (option !== "--check") {
    writeFileSync(expectedFile, text);
    return;
  }
  const isSame = readFileSync(expectedFile, "utf8") === text;
  console.log(`${lines().length} lines: ${isSame ? "as expected" : "CHANGED"}`);
  process.exit(isSame ? 0 : 1);
}

main(process.argv[2]);
