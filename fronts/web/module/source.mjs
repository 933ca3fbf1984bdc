/*
 * source.mjs - the bytes of a file, wherever they are: a Uint8Array, a Blob, or
 * {size, read(offset, into)}. One that is compressed by gzip is unpacked.
 */
import {SeensetError, invalid} from './errors.mjs';

const PIECE_BYTES = 1 << 20;
const START_BYTES = 64 << 10; // enough to recognise what is compressed

export function fileOfBytes(bytes) {
    return {
        size: bytes.length,
        read(offset, into) {
            const some = bytes.subarray(offset, offset + into.length);
            into.set(some);
            return some.length;
        },
    };
}

function ofBlob(blob) {
    return {
        size: blob.size,
        async read(offset, into) {
            const part = blob.slice(offset, offset + into.length);
            into.set(new Uint8Array(await part.arrayBuffer()));
            return part.size;
        },
    };
}

/** @param {Uint8Array|Blob|{size: number, read: Function}} file */
export function sourceOf(file) {
    if (file instanceof Uint8Array)
        return fileOfBytes(file);
    if (typeof Blob !== 'undefined' && file instanceof Blob)
        return ofBlob(file);
    if (typeof file?.read === 'function' && Number.isSafeInteger(file.size))
        return file;
    throw invalid('A file is a Uint8Array (of an ArrayBuffer, new ' +
        'Uint8Array(buffer)), a Blob, or {size, read(offset, into)}.');
}

/** Calls take(piece) for each piece of a file, in order. */
export async function eachPiece(source, take) {
    const room = new Uint8Array(Math.min(PIECE_BYTES, source.size));
    for (let at = 0; at < source.size;) {
        const into = room.subarray(0, Math.min(room.length, source.size - at));
        const count = await source.read(at, into);
        if (!(count > 0))
            throw new SeensetError(-9, 'SEENSET_EIO', 'The file ends after ' +
                `${at} of ${source.size} bytes. Read the file again.`);
        take(into.subarray(0, count));
        at += count;
    }
}

export async function isGzipped(source) {
    const magic = new Uint8Array(3); // and the method, which is always 8
    return source.size > 3 && await source.read(0, magic) === 3 &&
        magic[0] === 0x1f && magic[1] === 0x8b && magic[2] === 8;
}

/** A file as a stream, which reads when it is asked to. */
function streamOf(source) {
    let at = 0;
    return new ReadableStream({
        async pull(to) {
            const piece =
                new Uint8Array(Math.min(PIECE_BYTES, source.size - at));
            const count = at < source.size ? await source.read(at, piece) : 0;
            if (!(count > 0))
                return to.close();
            at += count;
            to.enqueue(piece.subarray(0, count));
        },
    });
}

/* What the reader's pieces hold together. */
function joined(pieces, size) {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
    }
    return bytes;
}

function gunzip() {
    if (typeof DecompressionStream === 'undefined')
        throw new SeensetError(-6, 'SEENSET_EUNSUPPORTED', 'The file is ' +
            'compressed by gzip, and this host has no DecompressionStream. ' +
            'Unpack the file first.');
    return new DecompressionStream('gzip');
}

/**
 * What a file holds that is compressed by gzip.
 * @param {(start: Uint8Array) => void} look sees its first bytes, and throws
 *     where the rest is not wanted
 * @param {(size: number) => void} checkSize throws where it is too much
 */
export async function unpack(source, look, checkSize) {
    const reader = streamOf(source).pipeThrough(gunzip()).getReader();
    const pieces = [];
    let size = 0;
    let isKnown = false;
    const check = () => {
        if (!isKnown)
            look(joined(pieces, size).subarray(0, START_BYTES));
        isKnown = true;
    };
    for (;;) {
        const {done, value} = await reader.read().catch(() => {
            throw new SeensetError(-13, 'SEENSET_ECORRUPT', 'The file is ' +
                'compressed by gzip, and damaged. Get the file again.');
        });
        if (done)
            break;
        pieces.push(value);
        size += value.length;
        checkSize(size);
        if (size >= START_BYTES)
            check();
    }
    check();
    return joined(pieces, size);
}
