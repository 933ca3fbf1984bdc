/*
 * inline.mjs - seenset.mjs with its WebAssembly in it. Bundlers that do not know
 * where a file is needed take it for 'seenset' (package.json); a script that is
 * to be one file takes it by name:
 *
 *     import {load} from 'seenset/inline';
 *
 * It has the build with SIMD, which browsers have since 2023 and Node since 16.
 */
import {SeensetError} from './errors.mjs';
import {packed} from './inline_bytes.mjs';
import {hasSimd, loadFrom, placeGiven, sharing} from './library.mjs';
import {unpacked} from './packed.mjs';

export {SeensetError};

async function loadNew({wasm, simd = hasSimd()}) {
    if (wasm !== undefined)
        return loadFrom(placeGiven(wasm, simd, globalThis.location?.href),
            simd);
    if (!simd)
        throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED', 'The build without ' +
            'SIMD is not in this script: take load() from seenset/asset, ' +
            'which has it, or give load() its place as wasm.');
    return loadFrom(await unpacked(packed), true);
}

/** @type {import('./seenset.js').load} */
export const load = sharing(loadNew);
