/*
 * batch.mjs - many keys, handed to the module in pieces that fit a cache.
 *
 * Keys as bytes and offsets are copied as they are; strings are encoded into
 * the module's memory, piece by piece.
 */
import {invalid} from './errors.mjs';

const PIECE_BYTES = 1 << 20;
const PIECE_KEYS = 1 << 15;

/** A place in memory for a piece: its data, offsets and answers. */
class Piece {
    constructor(core) {
        this.core = core;
        this.room = PIECE_BYTES;
        this.data = core.alloc(PIECE_BYTES);
        this.offsets = core.alloc(4 * (PIECE_KEYS + 1) + PIECE_KEYS);
        this.answers = this.offsets + 4 * (PIECE_KEYS + 1);
    }

    /** Room for a key that is larger than a piece. */
    reserve(bytes) {
        if (bytes <= this.room)
            return;
        this.core.release(this.data);
        this.data = 0;
        this.data = this.core.alloc(bytes);
        this.room = bytes;
    }

    u32() {
        return new Uint32Array(this.core.memory.buffer, this.offsets,
            PIECE_KEYS + 1);
    }

    free() {
        this.core.release(this.data);
        this.core.release(this.offsets);
    }
}

/** How many keys a batch has; throws where it is not one. */
export function lengthOf(batch) {
    if (Array.isArray(batch))
        return batch.length;
    const {data, offsets} = batch ?? {};
    if (!(data instanceof Uint8Array && offsets instanceof Uint32Array))
        throw invalid('A batch is {data: Uint8Array, offsets: Uint32Array}, ' +
            'or an array of keys ([...keys] of a Set).');
    if (offsets.length === 0)
        throw invalid('offsets has one number more than there are keys.');
    for (let i = 1; i < offsets.length; i++)
        if (offsets[i] < offsets[i - 1])
            throw invalid(`offsets[${i}] is below the one before it.`);
    if (offsets[offsets.length - 1] > data.length)
        throw invalid('The last of offsets is after the end of data.');
    return offsets.length - 1;
}

/** The number of keys from `first` on that fit a piece: at least one. */
function fitting(offsets, first) {
    const end = offsets[first] + PIECE_BYTES;
    let low = first + 1;
    let high = Math.min(first + PIECE_KEYS, offsets.length - 1);
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (offsets[middle] <= end)
            low = middle;
        else
            high = middle - 1;
    }
    return low - first;
}

function fillFromBytes(piece, {data, offsets}, first) {
    const count = fitting(offsets, first);
    const base = offsets[first];
    const end = offsets[first + count];
    piece.reserve(end - base);
    piece.core.u8().set(data.subarray(base, end), piece.data);
    piece.u32().set(offsets.subarray(first, first + count + 1));
    return {count, base, sizeBytes: end - base};
}

function roomFor(key) {
    if (typeof key === 'string')
        return 3 * key.length;
    if (key instanceof Uint8Array)
        return key.length;
    throw invalid('A key is a string or a Uint8Array.');
}

function fillFromKeys(piece, keys, first) {
    const {core} = piece;
    piece.reserve(roomFor(keys[first]));
    const bytes = core.u8();
    const offsets = piece.u32();
    let end = 0;
    let count = 0;
    for (; count < PIECE_KEYS && first + count < keys.length; count++) {
        const key = keys[first + count];
        if (end + roomFor(key) > piece.room)
            break;
        offsets[count] = end;
        if (typeof key === 'string') {
            end += core.encode(key, piece.data + end);
        } else {
            bytes.set(key, piece.data + end);
            end += key.length;
        }
    }
    offsets[count] = end;
    return {count, base: 0, sizeBytes: end};
}

/**
 * Calls `call(piece, {first, count, base, sizeBytes})` for each piece of a batch
 * until it returns false: keys first to first + count - 1, whose offsets begin
 * with base.
 */
export function eachPiece(core, batch, call) {
    const length = lengthOf(batch);
    const fill = Array.isArray(batch) ? fillFromKeys : fillFromBytes;
    const piece = new Piece(core);
    try {
        for (let first = 0; first < length;) {
            const part = {first, ...fill(piece, batch, first)};
            if (call(piece, part) === false)
                return;
            first += part.count;
        }
    } finally {
        piece.free();
    }
}
