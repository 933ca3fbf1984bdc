/*
 * library.mjs - a library: the C library as WebAssembly, from its bytes or from
 * a place, and what seenset.d.ts says of it.
 */
import {Core} from './core.mjs';
import {SeensetError, invalid} from './errors.mjs';
import {verifyFile} from './file.mjs';
import {csvHeader} from './lines.mjs';
import {checkOptions, named, namesOf, numberOf, whole, withOptions} from './options.mjs';
import {makeSeenSet} from './set.mjs';

/* A module with one function that returns a vector: valid where SIMD is. */
const probe = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123,
    3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

export const hasSimd = () => WebAssembly.validate(probe);

function notFound(url, why) {
    const isForeign = url.pathname.endsWith('seenset-foreign.wasm');
    return new SeensetError(-9, 'SEENSET_EIO', 'The WebAssembly module ' +
        `was not found (${why}): put it at ${url}, ` + (isForeign
        ? 'or give openForeign() its place as wasm.'
        : 'give load() its place as wasm, or take load() from seenset/inline.'));
}

/** The bytes of a file, for Node. */
async function readBytes(url) {
    const name = 'node:fs/promises'; // which browsers and bundlers skip
    const {readFile} = await import(
        /* webpackIgnore: true */ /* @vite-ignore */ name);
    return readFile(url).catch((error) => {
        throw notFound(url, error.code);
    });
}

/** Compiles a module while it comes; a host that gives it another type than
 * application/wasm has it compiled afterwards. */
async function fetchModule(url) {
    const response = await fetch(url).catch(({message}) => {
        throw notFound(url, message);
    });
    if (!response.ok)
        throw notFound(url, response.status);
    const type = response.headers.get('Content-Type') ?? '';
    return /^application\/wasm\b/i.test(type)
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

/** A place that was given, as an address. */
export function addressOf(wasm, here) {
    try {
        return new URL(wasm, here);
    } catch {
        throw invalid(`wasm: '${wasm}' is not an address here; give an ` +
            'absolute one, such as https://example.com/seenset.wasm.');
    }
}

/**
 * A place that load() was given, or bytes. In a folder that has both builds it
 * is the one for this host.
 * @param {string} here what a place is relative to
 */
export function placeGiven(wasm, simd, here) {
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm))
        return wasm;
    const place = addressOf(wasm, here);
    const name = simd ? 'seenset.wasm' : 'seenset-plain.wasm';
    return (wasm.href ?? wasm).endsWith('/') ? new URL(name, place) : place;
}

/** @param {URL|BufferSource} wasm @returns {Promise<WebAssembly.Module>} */
export async function compile(wasm) {
    if (!(wasm instanceof URL))
        return WebAssembly.compile(wasm);
    return wasm.protocol === 'file:'
        ? WebAssembly.compile(await readBytes(wasm)) : fetchModule(wasm);
}

/** A library of its own, of the module at a place or of its bytes. */
export async function loadFrom(wasm, simd) {
    const core = new Core();
    core.start(await WebAssembly.instantiate(await compile(wasm),
        core.imports));
    return libraryOf(core, simd);
}

/** A call whose calls without options share one result, unless that failed. */
export function sharing(loadNew) {
    let shared;
    return (options) => {
        if (options !== undefined)
            return loadNew(options);
        const loading = shared ??= loadNew({});
        loading.catch(() => {
            if (shared === loading)
                shared = undefined; // the next call tries again
        });
        return loading;
    };
}

/** Options of a set as the planner calls them. */
const letters = {capacity: 'n', fpRate: 'p', sizeBits: 'm', hashCount: 'k'};
const planned = ['layout', 'n', 'p', 'm', 'k', 'scheme', 'seed', 'seeds',
    'unitBits'];

/** What is asked of the planner, as options of a set. */
function optionsOf(given) {
    for (const name of Object.keys(checkOptions(given)))
        if (!planned.includes(name))
            throw invalid(`A plan has no ${name}` + (name in letters
                ? `: it is called ${letters[name]} here.` : '.'));
    const {n, p, m, k, ...others} = given;
    return {...others, capacity: n, fpRate: p, sizeBits: m, hashCount: k};
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
            }, letters);
        },
        grown(given, items) {
            if (!inRange(items))
                throw new RangeError('items is from 1 to 2^53');
            return withOptions(library, optionsOf(given), () => {
                core.check(exports.web_plan_grown(items));
                return named(library, core.object('plan_grown'));
            }, letters);
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
