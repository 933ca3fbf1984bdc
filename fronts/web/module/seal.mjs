/*
 * seal.mjs - a sealed set of a batch.
 *
 * It is built from the hashes of all keys, 8 bytes each, which is all that stays
 * of them. A keyed set, or one with a seed, needs the keys themselves.
 */
import {eachPiece, lengthOf} from './batch.mjs';
import {withOptions} from './options.mjs';

const KEY_BYTES = 8; // of a seenset_key: an address and a length

/** Makes the set; returns its address. */
export function sealBatch(library, batch, options) {
    const {core} = library;
    const count = lengthOf(batch);
    const isHashed = options.secret === undefined && !options.seed;
    const seal = isHashed ? sealHashes : sealKeys;
    return withOptions(library, options, () => seal(core, batch, count));
}

function sealHashes(core, batch, count) {
    const hashes = core.alloc(8 * count);
    try {
        eachPiece(core, batch, (piece, part) => core.exports.web_hash_many(
            piece.data, piece.offsets, part.base, part.count,
            hashes + 8 * part.first));
        core.check(core.exports.web_seal_hashes(core.made, hashes, count));
        return core.takeMade();
    } finally {
        core.release(hashes);
    }
}

function totalBytes(core, batch) {
    let total = 0;
    eachPiece(core, batch, (piece, part) => {
        total += part.sizeBytes;
    });
    return total;
}

/* The bytes of all keys, then keys that point to them. */
function sealKeys(core, batch, count) {
    const keysAt = Math.ceil(totalBytes(core, batch) / KEY_BYTES) * KEY_BYTES;
    const data = core.alloc(keysAt + KEY_BYTES * count);
    let end = data;
    try {
        eachPiece(core, batch, (piece, part) => {
            core.u8().copyWithin(end, piece.data, piece.data + part.sizeBytes);
            core.exports.web_point_keys(end, piece.offsets, part.base,
                part.count, data + keysAt + KEY_BYTES * part.first);
            end += part.sizeBytes;
        });
        core.check(core.exports.web_seal(core.made, data + keysAt, count));
        return core.takeMade();
    } finally {
        core.release(data);
    }
}
