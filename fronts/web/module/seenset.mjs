/*
 * seenset.mjs - have I seen this before? In browsers and in Node.
 *
 *     import {load} from 'seenset';
 *     const {SeenSet} = await load();
 *
 * The C library as WebAssembly: seenset.wasm uses SIMD, and seenset-plain.wasm
 * is for hosts that have none. seenset.d.ts says what everything does.
 */
import {SeensetError} from './errors.mjs';
import {hasSimd, loadFrom, placeGiven, sharing} from './library.mjs';

export {SeensetError};

/* Written out as they are here, such addresses are known to bundlers, which
 * copy the files and put in where they went. */
const simdBuild = () => new URL('./seenset.wasm', import.meta.url);
const plainBuild = () => new URL('./seenset-plain.wasm', import.meta.url);

/** Where the module is, or its bytes. */
function placeOf(wasm, simd) {
    if (wasm !== undefined)
        return placeGiven(wasm, simd, import.meta.url);
    return simd ? simdBuild() : plainBuild();
}

async function loadNew({wasm, simd = hasSimd()}) {
    return loadFrom(placeOf(wasm, simd), simd);
}

/** @type {import('./seenset.js').load} */
export const load = sharing(loadNew);
