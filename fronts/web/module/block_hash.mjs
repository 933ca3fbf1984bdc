/*
 * block_hash.mjs - the hash of a block of Bitcoin, as programs show it: what
 * the keys of its filter are hashed under.
 */
import {invalid} from './errors.mjs';

const SECRET_BYTES = 16;

/**
 * The first 16 bytes of the hash in the order of the block, which is from the
 * last byte that is shown back.
 * @param {string} block
 */
export function secretOf(block) {
    if (typeof block !== 'string' || !/^[0-9a-f]{64}$/i.test(block))
        throw invalid('block is the hash of a block, 64 hexadecimal digits ' +
            'as programs show it.');
    return Uint8Array.from({length: SECRET_BYTES}, (_, i) =>
        parseInt(block.slice(62 - 2 * i, 64 - 2 * i), 16));
}
