/*
 * options.mjs - options as the module takes them: numbers in a list.
 *
 * Each is checked here, with a message that names it, since C would cut off
 * what does not fit. What goes together is for the library to say.
 */
import {invalid} from './errors.mjs';

const MOST = 2 ** 53;
const SECRET_BYTES = 16;

/** Names of an enum, from number 1 on, as long as there are any. */
export function namesOf(core, call) {
    const names = [];
    for (let i = 1;; i++) {
        const name = core.text(core.exports[call](i));
        if (name === 'unknown')
            return Object.freeze(names);
        names.push(name);
    }
}

/* Figures, with the names of what are numbers in C. */
export function named(library, found) {
    const lists = {layout: library.layouts, onFull: library.policies,
        scheme: library.schemes};
    for (const [field, names] of Object.entries(lists))
        if (found[field] !== undefined)
            found[field] = names[found[field] - 1];
    return found;
}

/** The number of a name; undefined is 0, the default. */
export function numberOf(name, names, what) {
    if (name === undefined)
        return 0;
    const at = names.indexOf(name);
    if (at < 0)
        throw invalid(`${what} is ${names.filter(Boolean).join(', ')}; ` +
            `not ${String(name)}.`);
    return at + 1;
}

/** A whole number from `least` to `most`; undefined is 0, the default. */
export function whole(value, what, least = 1, most = MOST) {
    if (value === undefined)
        return 0;
    if (!(Number.isInteger(value) && value >= least && value <= most))
        throw invalid(`${what} is a whole number from ${least} to ` +
            `${most === MOST ? '2^53' : most}; not ${String(value)}.`);
    return value;
}

function rate(value, what) {
    if (value === undefined)
        return 0;
    if (!(typeof value === 'number' && value > 0 && value < 1))
        throw invalid(`${what} is over 0 and under 1; not ${String(value)}.`);
    return value;
}

function seedOf(value) {
    if (value === undefined)
        return 0n;
    const isNumber = Number.isSafeInteger(value);
    const seed = isNumber ? BigInt(value) : value;
    if (!(typeof seed === 'bigint' && seed >= 0n && seed < 1n << 64n))
        throw invalid('seed is a whole number from 0 to 2^64 - 1, a bigint ' +
            `from 2^53 on; not ${String(value)}.`);
    return seed;
}

/** Checks the bytes of a secret; undefined stays so. */
export function secretOf(secret) {
    if (secret === undefined)
        return undefined;
    if (!(secret instanceof Uint8Array && secret.length === SECRET_BYTES))
        throw invalid(`secret is a Uint8Array of ${SECRET_BYTES} bytes.`);
    return secret;
}

function seedsOf(seeds) {
    if (seeds === undefined)
        return [];
    if (!(seeds.length <= 255))
        throw invalid('seeds is an array of 255 numbers at most.');
    return Array.from(seeds, (seed) => whole(seed, 'each of seeds', 0,
        2 ** 32 - 1));
}

const known = new Set(['layout', 'onFull', 'capacity', 'fpRate', 'sizeBits',
    'hashCount', 'counterBits', 'windowGenerations', 'windowSeconds', 'sliding',
    'secret', 'scheme', 'seed', 'seeds', 'unitBits', 'anyRate']);

/** Throws if these are no options; returns them. */
export function checkOptions(given) {
    if (typeof given !== 'object' || given === null)
        throw invalid('Options are an object, such as {capacity: 1e6}; not ' +
            `${String(given)}.`);
    return given;
}

/** The number of a policy. Options of a window ask for the one that forgets. */
function policyOf(library, given) {
    const policy = numberOf(given.onFull, library.policies, 'onFull');
    const asked = ['windowSeconds', 'windowGenerations', 'sliding']
        .find((name) => given[name] !== undefined && given[name] !== false);
    if (asked === undefined)
        return policy;
    if (given.onFull !== undefined && given.onFull !== 'rotate')
        throw invalid(`${asked} is for onFull "rotate"; not ${given.onFull}.`);
    return numberOf('rotate', library.policies, 'onFull');
}

function counterBitsOf({counterBits, layout}) {
    const bits = whole(counterBits, 'counterBits', 2, 16);
    if (bits !== 0 && layout !== 'counting')
        throw invalid('counterBits is for layout "counting"; not ' +
            `${layout ?? 'the default'}.`);
    return bits;
}

/**
 * Checks options, to numbers by the names of web_option_names. secret and seeds
 * are left out, as they go by address. calls: other names of some options.
 */
function numbersOf(library, given, calls = {}) {
    for (const name of Object.keys(checkOptions(given)))
        if (!known.has(name))
            throw invalid(`There is no option ${name}.`);
    const seed = seedOf(given.seed);
    const most32 = 2 ** 32 - 1;
    return {
        layout: numberOf(given.layout, library.layouts, 'layout'),
        on_full: policyOf(library, given),
        capacity: whole(given.capacity, calls.capacity ?? 'capacity'),
        fp_rate: rate(given.fpRate, calls.fpRate ?? 'fpRate'),
        size_bits: whole(given.sizeBits, calls.sizeBits ?? 'sizeBits'),
        hash_count:
            whole(given.hashCount, calls.hashCount ?? 'hashCount', 1, 255),
        counter_bits: counterBitsOf(given),
        window_generations:
            whole(given.windowGenerations, 'windowGenerations', 2, 64),
        window_seconds: whole(given.windowSeconds, 'windowSeconds'),
        sliding: given.sliding ? 1 : 0,
        scheme: numberOf(given.scheme, library.schemes, 'scheme'),
        seed_low: Number(seed & BigInt(most32)),
        seed_high: Number(seed >> 32n),
        unit_bits: whole(given.unitBits, 'unitBits', 8, 16),
        any_rate: given.anyRate ? 1 : 0,
    };
}

/** Options that each are in their range, and not together: which ones? */
function namingOptions(error, given, calls) {
    if (calls === undefined || error.errorName !== 'SEENSET_EINVAL')
        return error;
    const asked = Object.keys(given)
        .filter((name) => given[name] !== undefined)
        .map((name) => calls[name] ?? name).join(', ');
    error.message = asked === ''
        ? `Options are missing, such as ${calls.capacity ?? 'capacity'}.`
        : `These options do not go together, or one is missing: ${asked}.`;
    return error;
}

/**
 * Stores options where web_options finds them, and calls `use()`. calls: other
 * names of some options, where what fails in `use` follows from options alone.
 */
export function withOptions(library, given, use, calls) {
    const {core} = library;
    const numbers = numbersOf(library, given, calls);
    const secret = secretOf(given.secret);
    const seeds = Uint32Array.from(seedsOf(given.seeds));
    const bytes = new Uint8Array(seeds.buffer);
    // one block: the secret, then the seeds
    const place = core.alloc(SECRET_BYTES + bytes.length);
    try {
        core.u8().set(secret ?? [], place);
        core.u8().set(bytes, place + SECRET_BYTES);
        numbers.secret = secret === undefined ? 0 : place;
        numbers.seeds = seeds.length === 0 ? 0 : place + SECRET_BYTES;
        numbers.seed_count = seeds.length;
        library.optionNames.forEach((name, i) => {
            core.f64()[core.numbers / 8 + i] = numbers[name];
        });
        return use();
    } catch (error) {
        throw namingOptions(error, given, calls);
    } finally {
        core.u8().fill(0, place, place + SECRET_BYTES);
        core.release(place);
    }
}
