/* The arithmetic that the panel "See it" reads along (hashes to places, in
 * JavaScript) against the library's places: some hundred keys, in all layouts
 * and schemes that it explains. */
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {test} from "node:test";
import {pathToFileURL} from "node:url";
import {libraries, golden, source} from "./support/module.mjs";

const part = (name) => import(pathToFileURL(
    path.join(source, "fronts/web/page/see", name)));
const {blockedSteps, classicSteps, sealedSteps, splitSteps} =
    await part("derive.mjs");
const {covers, fingerprintOf, LINE_SLOTS, slotsOf, unitAt, unitOf} =
    await part("fingerprint.mjs");
const {foreignSteps} = await part("foreign.mjs");
const {cityPlaces, city64} = await part("city.mjs");
const {word, stranger} = await part("words.mjs");
const library = libraries.simd;

const keys = ["", "a", "Блум", "鍵", "\u{1F600}",
              ...Array.from({length: 300}, (_, i) => word(i + 1)),
              ..."0123456789", ...Array.from({length: 130}, (_, i) =>
                  "x".repeat(i))];
const ascending = (steps) => [...new Set(steps.map(({place}) => place))]
    .sort((a, b) => a - b);

const shapes = [
    [{layout: "bloom", sizeBits: 512, hashCount: 7},
     (hash) => classicSteps(hash, 512, 7)],
    [{layout: "counting", sizeBits: 1000, hashCount: 16},
     (hash) => classicSteps(hash, 1000, 16)],
    [{layout: "blocked", sizeBits: 16384, hashCount: 8},
     (hash) => blockedSteps(hash, 16384, 8)],
    [{layout: "blocked", sizeBits: 15360, hashCount: 24},
     (hash) => blockedSteps(hash, 15360, 24)],
    [{layout: "split_block", sizeBits: 4096},
     (hash) => splitSteps(hash, 4096)],
];

test("places_of_layouts_are_the_librarys", () => {
    for (const [options, steps] of shapes) {
        const set = new library.SeenSet(options);
        for (const key of keys)
            assert.deepEqual(ascending(steps(library.hash(key))),
                             set.places(key), `${options.layout} ${key}`);
        assert.notDeepEqual(ascending(steps(library.hash("a") ^ (1n << 63n))),
                            set.places("a"), "another hash");
        set.free();
    }
});

test("shards_are_the_librarys", () => {
    // the vectors of tests/vectors/shards.c, for the hash of ""
    assert.deepEqual([1, 2, 3, 16, 256, 1000003, 2 ** 32 - 1].map((shards) =>
        library.shard("", shards)), [0, 0, 0, 0, 0, 3288, 14123004]);
    for (const shards of [0, -1, 1.5, 2 ** 32, undefined])
        assert.throws(() => library.shard("a", shards), /shards is a whole/);
    const count = 64000, ours = new library.SeenSet({capacity: 4000, fpRate: 0.01}),
        upper = new library.SeenSet({capacity: 4000, fpRate: 0.01});
    for (let i = 0; i < count; i++) {
        if (library.shard(`key ${i}`, 16) === 3) ours.add(`key ${i}`);
        if (library.hash(`key ${i}`) >> 60n === 3n) upper.add(`key ${i}`);
    }
    assert.ok(ours.info().addedItems > 3500);
    assert.equal(ours.estimate().isSkewed, false);
    assert.equal(upper.estimate().isSkewed, true); // planted: the upper bits
    ours.free();
    upper.free();
});

test("places_of_schemes_are_the_librarys", () => {
    for (const [scheme, sizeBits, hashCount, unitBits] of [
        ["murmur2a+fnv1a", 1000, 2], ["murmur3-128", 1000, 7],
        ["polynomial", 1024, 7], ["polynomial", 1024, 7, 16], ["md5-divmod", 100, 3],
        ["md5-divmod", 65536, 12], ["clickhouse-bloom", 512, 15]]) {
        const set = new library.SeenSet({layout: "bloom", scheme, sizeBits,
                                         hashCount, unitBits});
        for (const key of keys)
            assert.deepEqual(
                ascending(foreignSteps(scheme, key, sizeBits, hashCount,
                                       unitBits).steps),
                set.places(key), `${scheme} ${key}`);
        set.free();
    }
});

test("places_of_cityhash_are_those_of_the_list", () => {
    let count = 0;
    for (const line of readFileSync(path.join(golden, "schemes-expected.txt"),
                                    "utf8").trim().split("\n")) {
        const [scheme, , , , m, k, hex, ...places] = line.split(" ");
        if (scheme !== "clickhouse-bloom")
            continue;
        const key = Uint8Array.from(Buffer.from(hex === "-" ? "" : hex, "hex"));
        assert.deepEqual(cityPlaces(city64(key), Number(m), Number(k)),
                         places.map(Number), hex);
        count++;
    }
    assert.ok(count > 50, `${count}`);
});

test("places_of_sealed_sets_make_the_fingerprint", () => {
    for (const count of [0, 1, 10, 400]) {
        const built = keys.slice(0, count);
        const set = library.SeenSet.seal(built);
        const file = set.save();
        for (const key of [...keys, ...Array.from({length: 1000}, (_, i) =>
            stranger(i))]) {
            const {made, fingerprint} = sealedSteps(library.hash(key), file);
            assert.equal(made === fingerprint, set.has(key), key);
        }
        for (const key of built)
            assert.ok(set.has(key));
        set.free();
    }
});

/* Lines of one segment and of two, nearly empty, full, and with slots that were
 * cut. */
test("places_of_fingerprints_are_the_librarys", () => {
    for (const [lines, count] of [[1, 5], [1, 40], [1, 400], [8, 300],
                                  [600, 20000]]) {
        const sizeBits = 512 * lines;
        const set = new library.SeenSet({layout: "fingerprint", sizeBits,
                                         hashCount: 8, onFull: "degrade"});
        const added = Array.from({length: count}, (_, i) => word(i + 1));
        set.addMany(added);
        const bytes = set.toBits(), slots = slotsOf(bytes);
        assert.equal(slots.length, lines * LINE_SLOTS);
        const has = (hash) => {
            const at = fingerprintOf(hash, sizeBits);
            const {first, end} = unitOf(bytes, at);
            return slots.subarray(first, end)
                .some((slot) => covers(slot, at.slot));
        };
        for (const key of added)
            assert.ok(has(library.hash(key)), key);
        const strangers = Array.from({length: 3000}, (_, i) => stranger(i));
        const said = strangers.map((key) => has(library.hash(key)));
        assert.deepEqual(said, strangers.map((key) => set.has(key)));
        assert.notDeepEqual(strangers.map((key) =>
            has(library.hash(key) ^ 1n << 63n)), said, "another hash");
        for (let place = 0; place < slots.length; place += 1 + lines / 8 | 0) {
            const at = unitAt(bytes, place);
            assert.equal(at === null, slots[place] === 0, `${place}`);
            if (at === null)
                continue;
            const {first, end} = unitOf(bytes, at);
            assert.ok(first <= place && place < end, `${place}`);
        }
        set.free();
    }
});

test("words_differ_and_strangers_are_strangers", () => {
    const seen = new Set(Array.from({length: 100000}, (_, i) => word(i)));
    assert.equal(seen.size, 100000);
    for (let i = 0; i < 100000; i++)
        assert.ok(!seen.has(stranger(i)));
});
