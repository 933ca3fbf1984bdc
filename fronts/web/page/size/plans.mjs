/*
 * plans.mjs - what `seenset plan` computes, for every layout.
 *
 * All figures come from the library. Nothing here touches the page, so that the
 * same functions run in Node.
 */

/** In the order of the table: the default first. */
export const LAYOUTS = ['blocked', 'bloom', 'split_block', 'counting',
    'fingerprint', 'sealed'];

/** Of their lines in a curve (style.css). */
export const COLOURS = {blocked: 1, bloom: 2, split_block: 3, sealed: 4,
    counting: 5, fingerprint: 0};

/** Those whose sets can get more tables, and forget. */
const CAN_GROW = ['blocked', 'bloom', 'split_block'];

export const DEFAULT_COUNTER_BITS = 4;
export const DEFAULT_TABLES = 5; /* of a window */

/**
 * @typedef {{n?: number, p?: number, m?: number, k?: number}} Given
 * @typedef {import('../module/seenset.mjs').Plan} Plan
 * @typedef {{layout: string, plan: Plan?, bytes: number, error: string}} Row
 */

/**
 * Two of n, p and m are needed; these are the command's, of the missing ones.
 * @param {Given} given @returns {Given}
 */
export function withDefaults(given) {
    const out = {...given};
    const hasRate = out.p !== undefined;
    if (out.n === undefined && out.m === undefined) out.n = 1000000;
    if (!hasRate && (out.n === undefined || out.m === undefined)) out.p = 0.01;
    return out;
}

/* As bytes; at most 2^53 counters of 16 bits, which is over 2^53. */
function bytesOf(cells, bitsPerCell) {
    return Number((BigInt(cells) * BigInt(bitsPerCell) + 7n) / 8n);
}

/** @param {Plan} plan @param {number} counterBits */
export function planBytes(plan, counterBits) {
    return bytesOf(plan.m, plan.layout === 'counting' ? counterBits : 1);
}

/* Why a layout takes no such k or m, or ''. */
function refusal(library, layout, given) {
    if (layout === 'sealed' && given.m !== undefined) return 'sealed_size';
    if (given.k === undefined) return '';
    try {
        library.plan({layout, n: 1, p: 0.5, k: given.k});
        return '';
    } catch (error) {
        return error.errorName === 'SEENSET_EINVAL' ? `k_${layout}` : '';
    }
}

/**
 * @param {object} library @param {Given} given @param {number} counterBits
 * @returns {Row[]} one for each layout; error is a name in the texts
 */
export function planAll(library, given, counterBits) {
    return LAYOUTS.map(layout => {
        const row = {layout, plan: null, bytes: NaN,
            error: refusal(library, layout, given)};
        if (row.error !== '') return row;
        try {
            row.plan = library.plan({layout, ...given});
            row.bytes = planBytes(row.plan, counterBits);
        } catch (error) {
            row.error = error.errorName ?? 'SEENSET_EINVAL';
        }
        return row;
    });
}

/** The textbook's size in bytes, k not whole: -n ln p / ln(2)^2 bits. */
export function textbookBytes({n, p}) {
    return Math.floor(-n * Math.log(p) / Math.LN2 ** 2 / 8);
}

/** What a set can do when it is full; the first is what it does by itself. */
export function policiesOf(layout, given) {
    if (layout === 'sealed') return [];
    const isSized = given.m !== undefined || given.k !== undefined;
    return CAN_GROW.includes(layout) && !isSized
        ? ['grow', 'rotate', 'refuse', 'degrade'] : ['degrade', 'refuse'];
}

function solve(library, given) {
    try {
        return library.plan(given);
    } catch {
        return null;
    }
}

function grownTo(library, {layout, n, p}, items) {
    try {
        return library.grown({layout, n, p}, items);
    } catch {
        return null;
    }
}

/* So many times the keys that a set was planned for. */
const GROWN_TIMES = [1, 2, 5, 10, 100, 1000];

/**
 * A set as it grows; no more steps where the rate cannot be kept.
 * @returns {{items: number, tables: number, bytes: number, bits: number}[]}
 */
export function growth(library, layout, n, p) {
    const steps = [];
    for (const times of GROWN_TIMES) {
        const found = n * times <= 2 ** 53
            ? grownTo(library, {layout, n, p}, n * times) : null;
        if (found === null) break;
        steps.push({items: n * times, tables: found.tableCount,
            bytes: bytesOf(found.sizeBits, 1), bits: found.bitsPerKey});
    }
    return steps;
}

/** The rate of a set that has grown, at a number of keys. */
export function grownRate(library, given, items) {
    if (items === 0) return 0;
    return grownTo(library, given, items)?.expectedFpRate ?? NaN;
}

/**
 * A window by number: tables of n / (tables - 1) keys, at p / tables each.
 * @returns {{plan: Plan, bytes: number, steps: number}?}
 */
export function windowOf(library, layout, n, p, tables) {
    const steps = tables - 1;
    const plan = solve(library, {layout, n: Math.ceil(n / steps),
        p: p / tables});
    return plan === null ? null
        : {plan, steps, bytes: planBytes(plan, 1) * tables};
}

/**
 * What a set is at first that is made to do this when it is full: the first
 * table of one that grows has half of the rate, and a window has some tables.
 * @returns {{how: string, bytes: number, rate: number}}
 */
export function madeOf(library, {plan, policy, window}, bytes) {
    if (policy === 'grow' && plan.p < 1) {
        const found = grownTo(library, plan, plan.n);
        if (found !== null)
            return {how: 'grow', bytes: bytesOf(found.sizeBits, 1),
                rate: found.expectedFpRate};
    }
    if (policy === 'rotate') {
        const found = windowOf(library, plan.layout, plan.n, plan.p,
            window.tables);
        if (found !== null)
            return {how: 'rotate', bytes: found.bytes, rate: plan.p};
    }
    return {how: ['sealed', 'fingerprint'].includes(plan.layout)
        ? plan.layout : 'words', bytes,
        rate: plan.expectedFpRate};
}

/** The rate of a table with any number of keys; a sealed one has no more. */
export function rateAt(library, plan, items) {
    if (plan.layout === 'sealed')
        return items <= plan.n ? plan.expectedFpRate : NaN;
    return library.fpRate(plan.layout, items, plan.m, plan.k);
}

/** Bits per key at each of the rates; NaN where a layout cannot keep it. */
export function bitsByRate(library, layout, n, rates, counterBits) {
    const width = layout === 'counting' ? counterBits : 1;
    return rates.map(p => {
        const plan = solve(library, {layout, n, p});
        return plan === null ? NaN : plan.bitsPerKey * width;
    });
}

/* ---- what the same numbers cost elsewhere ---- */

/**
 * RedisBloom's BF.RESERVE: floor(n b) bits in whole words of 64, where b is
 * -ln p / ln(2)^2, and p is halved for filters that may grow.
 */
export function redisBytes(n, p, mayGrow) {
    const bits = Math.floor(n * -Math.log(mayGrow ? p / 2 : p) / Math.LN2 ** 2);
    return Math.ceil(bits / 64) * 8;
}

/**
 * DuckDB's Parquet writer, a filter for each row group: blocks of 32 bytes, a
 * power of two of them, by the published formula with k = 8.
 */
export function duckdbBytes(distinct, p) {
    const bits = -8 * distinct / Math.log(1 - p ** (1 / 8));
    const bytes = 2 ** Math.ceil(Math.log2(bits / 8));
    return Math.max(bytes, 32);
}
