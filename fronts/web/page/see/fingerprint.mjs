/*
 * fingerprint.mjs - where a table of fingerprints has a key, for reading along.
 *
 * docs/format.md has the table: lines of 64 bytes, here of 56 slots of 8 bits
 * and nine counts of 7. The slots of a segment are one row, line after line. A
 * hash names a home line, one of its eight units and a slot: a fingerprint of 7
 * bits, and a 1. Count b of a line is where its unit b begins, from the line's
 * first place on, and count b + 1 where it ends, in a later line if need be. As
 * in derive.mjs, a test holds this against the library.
 */
const LINE_BYTES = 64;
const COUNTS_AT = 56; /* in a line */
const UNITS = 8;
const END_BITS = 7n;
const MOST_END = 126;
const SEGMENT_LINES = 256;

/** Bits of a slot, and slots of a line: a byte is a slot. */
export const SLOT_BITS = 8;
export const LINE_SLOTS = 56;

const low64 = x => BigInt.asUintN(64, x);
const range = (x, r) => Number((x * BigInt(r)) >> 64n);

/** The lines of a table of m bits. */
function shapeOf(m) {
    const lines = m / (8 * LINE_BYTES);
    const segments = Math.max(1, Math.floor(lines / SEGMENT_LINES));
    const each = Math.floor(lines / segments);
    const spill = Math.min(Math.floor(MOST_END / LINE_SLOTS),
        Math.floor(each / 2));
    return {segments, each, homes: each - spill};
}

/**
 * The line and the unit that a hash names, and its slot.
 * @param {bigint} hash @param {number} m
 */
export function fingerprintOf(hash, m) {
    const {segments, each, homes} = shapeOf(m);
    const rest = low64(hash * BigInt(segments));
    const last = low64(rest * BigInt(homes));
    const line = range(hash, segments) * each + range(rest, homes);
    return {line, unit: Number(last >> 61n),
        slot: Number(low64(8n * last) >> 57n) * 2 + 1};
}

/** The slots of a table of m bits. */
export const slotCount = m => m / (8 * LINE_BYTES) * LINE_SLOTS;

/** The value of each slot, line after line; 0: it is free. */
export function slotsOf(bytes) {
    const lines = bytes.length / LINE_BYTES;
    const slots = new Uint8Array(lines * LINE_SLOTS);
    for (let line = 0; line < lines; line++)
        slots.set(bytes.subarray(line * LINE_BYTES,
            line * LINE_BYTES + LINE_SLOTS), line * LINE_SLOTS);
    return slots;
}

/** The slots of a unit: from place `first` on, before `end`. */
export function unitOf(bytes, {line, unit}) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const counts = view.getBigUint64(line * LINE_BYTES + COUNTS_AT, true);
    const count = i => Number(counts >> END_BITS * BigInt(i) & 127n);
    return {first: line * LINE_SLOTS + count(unit),
        end: line * LINE_SLOTS + count(unit + 1)};
}

/** The line and the unit whose slots have a place, or null: it is free. */
export function unitAt(bytes, place) {
    const line = Math.floor(place / LINE_SLOTS);
    for (let home = line; home >= 0 && line - home <= 2; home--)
        for (let unit = 0; unit < UNITS; unit++) {
            const {first, end} = unitOf(bytes, {line: home, unit});
            if (place >= first && place < end) return {line: home, unit};
        }
    return null;
}

/**
 * Is a slot the one of a key, or one that was cut and stands for all that begin
 * as it does? Its lowest 1 ends what is compared.
 */
export function covers(slot, wanted) {
    return ((slot ^ wanted) & ~(slot ^ slot - 1)) === 0;
}

/** Of a table, by number: of all its units. */
export const unitNumber = ({line, unit}) => line * UNITS + unit;

/** A fingerprint in hexadecimal; "~" for a slot that was cut. */
export const fingerprintText = slot => slot % 2 === 0 ? '~'
    : (slot >> 1).toString(16).toUpperCase().padStart(2, '0');
