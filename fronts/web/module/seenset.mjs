/*
 * seenset.mjs - have I seen this before? In browsers and in Node.
 *
 *     import {load} from 'seenset';
 *     const {SeenSet} = await load();
 *
 * The C library as WebAssembly: seenset.wasm uses SIMD, and seenset-plain.wasm
 * is for hosts that have none. seenset.d.ts says what everything does.
 */
import {Core} from './core.mjs';
import {SeensetError} from './errors.mjs';
import {verifyFile} from './file.mjs';
import {csvHeader} from './lines.mjs';
import {named, namesOf, numberOf, whole, withOptions} from './options.mjs';
import {makeSeenSet} from './set.mjs';

export {SeensetError};

/* A module with one function that returns a vector: valid where SIMD is. */
const probe = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123,
    3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** The bytes of a file, for Node. */
async function readBytes(url) {
    const name = 'node:fs/promises'; // which browsers and bundlers skip
    const {readFile} = await import(/* @vite-ignore */ name);
    return readFile(url);
}

/** Compiles a module while it comes; a host that gives it another type than
 * application/wasm has it compiled afterwards. */
async function fetchInstance(url, imports) {
    const response = await fetch(url);
    if (!response.ok)
        throw new SeensetError(-9, 'SEENSET_EIO', 'The WebAssembly module ' +
            `was not found (${response.status}): put it at ${url}, or give ` +
            'load() its place as wasm.');
    const type = response.headers.get('Content-Type') ?? '';
    return /^application\/wasm\b/i.test(type)
        ? WebAssembly.instantiateStreaming(response, imports)
        : WebAssembly.instantiate(await response.arrayBuffer(), imports);
}

async function instantiate(core, wasm) {
    const {imports} = core;
    const isBytes = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm);
    const url = isBytes ? null : new URL(wasm, import.meta.url);
    const {instance} = isBytes || url.protocol === 'file:'
        ? await WebAssembly.instantiate(isBytes ? wasm : await readBytes(url),
            imports)
        : await fetchInstance(url, imports);
    core.start(instance);
}

/** The build for this host, in a folder that has both. */
function buildIn(folder, simd) {
    const name = simd ? 'seenset.wasm' : 'seenset-plain.wasm';
    return new URL(name, new URL(folder, import.meta.url));
}

async function loadNew({wasm = './', simd = WebAssembly.validate(probe)}) {
    const core = new Core();
    const isFolder = (wasm.href ?? wasm).endsWith?.('/') ?? false;
    await instantiate(core, isFolder ? buildIn(wasm, simd) : wasm);
    return libraryOf(core, simd);
}

let shared;

/** @type {import('./seenset.js').load} */
export function load(options) {
    if (options !== undefined)
        return loadNew(options);
    shared ??= loadNew({});
    shared.catch(() => {
        shared = undefined; // the next call tries again
    });
    return shared;
}

/** What is asked of the planner, as options of a set. */
function optionsOf({layout, n, p, m, k, scheme, seed, seeds, unitBits}) {
    return {layout, capacity: n, fpRate: p, sizeBits: m, hashCount: k, scheme,
        seed, seeds, unitBits};
}

/** The formulas of seenset/plan.h. */
function formulas(library) {
    const {core} = library;
    const {exports} = core;
    const layoutOf = (name) => numberOf(name, library.layouts, 'layout');
    /* Outside of its range a number is NaN, and so is what comes of it. */
    const inRange = (...numbers) => numbers.every((number) =>
        Number.isInteger(number) && number >= 0 && number <= 2 ** 53);
    const nanOutside = (numbers, formula) =>
        inRange(...numbers) ? formula() : NaN;
    return {
        plan(given) {
            return withOptions(library, optionsOf(given), () => {
                core.check(exports.web_plan());
                const plan = named(library, core.object('plan'));
                return {...plan, n: plan.capacityItems, p: plan.fpRate,
                    m: plan.sizeBits, k: plan.hashCount};
            });
        },
        grown(given, items) {
            if (!inRange(items))
                throw new RangeError('items is from 1 to 2^53');
            return withOptions(library, optionsOf(given), () => {
                core.check(exports.web_plan_grown(items));
                return named(library, core.object('plan_grown'));
            });
        },
        fpRate: (layout, n, m, k) => nanOutside([n, m, k], () =>
            exports.web_fp_rate(layoutOf(layout), n, m, k)),
        wrongItems: (layout, n, m, k) => nanOutside([n, m, k], () =>
            exports.web_wrong_items(layoutOf(layout), n, m, k)),
        itemEstimate: (setBits, m, k) => nanOutside([setBits, m, k], () =>
            exports.web_item_estimate(setBits, m, k)),
        floorBits: (n, p) => nanOutside([n], () =>
            exports.web_floor_bits(n, p)),
        overflowBound: (n, m, k, counterBits) =>
            nanOutside([n, m, k, counterBits], () =>
                exports.web_overflow_bound(n, m, k, counterBits)),
        wholeBits(p) {
            core.check(exports.web_whole_bits(p));
            return {bitsPerKey: core.number(0), hashCount: core.number(1)};
        },
    };
}

function libraryOf(core, simd) {
    const {exports} = core;
    const library = {
        core,
        optionNames: core.text(exports.web_option_names()).trim().split(' '),
        layouts: namesOf(core, 'web_layout_name'),
        policies: namesOf(core, 'web_on_full_name'),
        // a scheme of the caller's own cannot be given from here
        schemes: namesOf(core, 'web_scheme_name').map((name) =>
            name === 'caller' ? undefined : name),
    };
    return {
        version: core.text(exports.web_version()),
        simd,
        layouts: library.layouts,
        policies: library.policies,
        schemes: Object.freeze(library.schemes.filter(Boolean)),
        SeenSet: makeSeenSet(library),
        ...formulas(library),
        hash(key) {
            const length = core.storeKey(key);
            exports.web_hash(core.keyPlace, length);
            return BigInt(core.number(1)) << 32n | BigInt(core.number(0));
        },
        shard(key, shards) {
            const count = whole(shards ?? 0, 'shards', 1, 2 ** 32 - 1);
            const length = core.storeKey(key);
            return exports.web_shard(core.keyPlace, length, count) >>> 0;
        },
        verify: (file) => verifyFile(core, file),
        csvHeader: (bytes, delimiter) => csvHeader(core, bytes, delimiter),
        makeSecret() {
            const secret = new Uint8Array(16);
            return core.withBytes(secret, (place) => {
                core.check(exports.web_make_secret(place));
                return core.copyOut(place, secret.length);
            });
        },
        memoryBytes: () => core.memory.buffer.byteLength,
    };
}
