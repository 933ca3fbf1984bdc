/*
 * exhibit.mjs - one small set that is shown: what it is made with, its cells,
 * the places of a key in it, and what the formulas say.
 *
 * There are seven kinds. Five are a layout with a size; "window" is a rotating
 * set of classic tables that remembers the newest keys; "sealed" is made at
 * once of all keys there are, and again when it is asked to.
 */
import {blockedSteps, classicSteps, hex, sealedShape, sealedSteps, slotValue,
    splitSteps} from './derive.mjs';
import {covers, fingerprintOf, SLOT_BITS, slotCount, slotsOf, unitAt,
    unitNumber, unitOf} from './fingerprint.mjs';

export const KINDS = ['bloom', 'blocked', 'split_block', 'counting',
    'fingerprint', 'sealed', 'window'];

/* Up to here the library is asked for places, which costs a table's size. */
const ASKED_BITS = 65536;
const SEALED_RATE = 1 / 256; /* slots of 8 bits, as the page's texts say */
export const WINDOW_RATE = 0.01;

const upTo = (size, unit) => unit * Math.max(1, Math.ceil(size / unit));

/**
 * @typedef {{m: number, k: number, scheme?: string, unitBits?: number,
 *     counterBits?: number}} Shape what the kinds have in common
 */

/** The options that a kind of set is made with. @param {Shape} shape */
export function optionsOf(kind, {m, k, scheme, unitBits, counterBits}) {
    const own = {scheme, unitBits, sizeBits: m, hashCount: k};
    switch (kind) {
    case 'bloom': return {layout: 'bloom', ...own};
    case 'counting': return {layout: 'counting', ...own,
        counterBits: counterBits ?? 4};
    case 'blocked': return {layout: 'blocked', sizeBits: upTo(m, 512),
        hashCount: 8};
    case 'split_block': return {layout: 'split_block', sizeBits: upTo(m, 256),
        hashCount: 8};
    case 'fingerprint': return {layout: 'fingerprint', sizeBits: upTo(m, 512),
        hashCount: SLOT_BITS, onFull: 'degrade'};
    case 'window': return {layout: 'bloom', onFull: 'rotate',
        capacity: Math.max(8, Math.round(m / 16)), fpRate: WINDOW_RATE,
        windowGenerations: 5};
    default: return {fpRate: SEALED_RATE};
    }
}

let documents = null;

/** What only the documents' examples need: their hashes and their numbers. */
export async function loadDocuments() {
    documents ??= await import('./documents.mjs');
    return documents;
}

const withoutUndefined = options => Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined));

export class Exhibit {
    #library;
    #file = null; /* of a sealed set: where its slots can be read */

    /** @param {string} kind one of KINDS @param {Shape} shape */
    constructor(library, kind, shape) {
        this.#library = library;
        this.kind = kind;
        this.shape = shape;
        this.options = withoutUndefined(optionsOf(kind, shape));
        this.reset();
    }

    /** Empty again. */
    reset() {
        this.free();
        this.wrong = 0; /* keys that were new and yet called seen */
        if (this.kind === 'sealed') this.seal([]);
        else this.set = new this.#library.SeenSet(this.options);
    }

    free() {
        this.set?.free();
        this.set = null;
    }

    /** sealed: is made again, of these keys. */
    seal(keys) {
        this.free();
        this.set = this.#library.SeenSet.seal(keys, this.options);
        this.#file = this.set.save();
        this.sealed = new Set(keys);
    }

    /** The size, the hashes and the tables, as they are now. */
    facts() {
        const info = this.set.info();
        const table = this.set.tableInfo(info.tableCount - 1);
        const isOfSlots = this.kind === 'fingerprint';
        return {tables: info.tableCount, m: table.sizeBits, k: table.hashCount,
            cellBits: isOfSlots ? SLOT_BITS : table.cellBits,
            cells: isOfSlots ? slotCount(table.sizeBits) : table.cellCount,
            capacity: info.capacityItems, layout: info.layout,
            bits: table.cellCount * table.cellBits * info.tableCount};
    }

    has(key) {
        return this.set.has(key);
    }

    /** @param {boolean} isNew as the ledger knows @returns what the set says */
    add(key, isNew) {
        if (this.kind === 'sealed') return false;
        const saidNew = this.set.add(key);
        if (isNew && !saidNew) this.wrong++;
        return saidNew;
    }

    /** New keys, all of them. */
    addMany(batch) {
        if (this.kind === 'sealed') return;
        for (const answer of this.set.addMany(batch))
            if (answer === 0) this.wrong++;
    }

    /** bloom: sets the bits of a key to 0, which no filter can do rightly. */
    clearBits(key) {
        const bits = this.set.toBits();
        for (const place of this.placesOf(key))
            bits[place >> 3] &= ~(1 << (place & 7));
        const made = this.#library.SeenSet.fromBits(bits, this.options);
        this.free();
        this.set = made;
    }

    /**
     * How a key comes to its places; null where it is not explained.
     * @returns {{hashes: object[], steps: import('./derive.mjs').Step[]}|null}
     */
    explain(key) {
        const {scheme, m, k, unitBits} = this.shape;
        if (scheme) return documents.foreignSteps(scheme, key, m, k, unitBits);
        const hash = this.#library.hash(key);
        const hashes = [{name: 'xxh3', value: hex(hash)}];
        const facts = this.facts();
        const steps = {
            blocked: () => blockedSteps(hash, facts.m, facts.k),
            split_block: () => splitSteps(hash, facts.m),
        }[this.kind] ?? (() => classicSteps(hash, facts.m, facts.k));
        return {hashes, steps: steps()};
    }

    /** sealed: its slots, their values, and what they should make. */
    explainSealed(key) {
        return sealedSteps(this.#library.hash(key), this.#file);
    }

    /** fingerprint: the unit of a key, its slots, and which are the key's. */
    explainUnit(key) {
        const bytes = this.set.toBits();
        const at = fingerprintOf(this.#library.hash(key), this.facts().m);
        const {first, end} = unitOf(bytes, at);
        const slots = slotsOf(bytes);
        return {slot: at.slot, unit: unitNumber(at),
            places: Array.from({length: end - first}, (_, i) => first + i)
                .map(place => ({place, value: slots[place],
                    isIt: covers(slots[place], at.slot)}))};
    }

    /**
     * fingerprint: the unit and the slot of a key, as a number. Slots move when
     * others come, so the owners of a place are known by what it holds.
     */
    traceOf(key) {
        const at = fingerprintOf(this.#library.hash(key), this.facts().m);
        return unitNumber(at) * 2 ** SLOT_BITS + at.slot;
    }

    /** fingerprint: the same of a place; -1: it is free. */
    traceAt(place) {
        const bytes = this.set.toBits(), at = unitAt(bytes, place);
        return at === null ? -1
            : unitNumber(at) * 2 ** SLOT_BITS + slotsOf(bytes)[place];
    }

    /** The places of a key in a table, ascending and without repeats. */
    placesOf(key) {
        if (this.kind === 'sealed') return this.explainSealed(key).slots;
        if (this.kind === 'fingerprint')
            return this.explainUnit(key).places.map(({place}) => place);
        if (this.facts().m <= ASKED_BITS) return this.set.places(key);
        const places = this.explain(key).steps.map(step => step.place);
        return [...new Set(places)].sort((a, b) => a - b);
    }

    /** The values of some places of a table, as they are now. */
    valuesAt(places, table = this.facts().tables - 1) {
        if (this.kind === 'sealed') {
            const shape = sealedShape(this.#file);
            return places.map(slot => slotValue(this.#file, shape, slot));
        }
        if (this.kind === 'fingerprint') {
            const slots = this.cells();
            return places.map(place => slots[place]);
        }
        const read = this.kind === 'counting' ? 'counters' : 'bits';
        return places.map(place => this.set[read](table, place, 1)[0]);
    }

    /** All cells of a table: bits, counters or slots. */
    cells(table) {
        const {cells} = this.facts();
        if (this.kind === 'counting') return this.set.counters(table, 0, cells);
        if (this.kind === 'fingerprint') return slotsOf(this.set.toBits());
        if (this.kind === 'sealed')
            return Uint32Array.from(this.valuesAt(Array.from({length: cells},
                (_, i) => i)));
        return this.set.bits(table, 0, cells);
    }

    /** What the formulas say of n keys; NaN where there is no formula. */
    formula(n) {
        const {m, k, layout} = this.facts();
        if (this.kind === 'sealed')
            return {fill: NaN, rate: this.set.stats().currentFpRate};
        if (this.kind === 'window') return {fill: NaN, rate: WINDOW_RATE};
        if (this.kind === 'fingerprint')
            return {fill: NaN, rate: n === 0 ? 0
                : this.#library.fpRate(layout, n, m, k)};
        const isClassic = layout === 'bloom' || layout === 'counting';
        const miss = isClassic ? k * Math.log1p(-1 / m) : Math.log1p(-k / m);
        return {fill: -Math.expm1(n * miss),
            rate: n === 0 ? 0 : this.#library.fpRate(layout, n, m, k)};
    }

    /** How many of these keys, which were never added, are called seen. */
    measure(batch) {
        return this.set.hasMany(batch).reduce((sum, seen) => sum + seen, 0);
    }
}
