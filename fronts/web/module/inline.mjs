/*
 * inline.mjs - seenset.mjs with its WebAssembly in it, for programs that become
 * one file: esbuild, rollup, a script of a worker.
 *
 *     import {load} from 'seenset/inline';
 *
 * It has the build with SIMD, which browsers have since 2023 and Node since 16.
 */
import {SeensetError} from './errors.mjs';
import {base64} from './inline_bytes.mjs';
import {hasSimd, loadFrom, sharing} from './library.mjs';

export {SeensetError};

async function loadNew() {
    if (!hasSimd())
        throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED', 'This host has no ' +
            'SIMD: take load() from seenset, which has a build without.');
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    return loadFrom(bytes, true);
}

/** @type {import('./inline.js').load} */
export const load = sharing(loadNew);
