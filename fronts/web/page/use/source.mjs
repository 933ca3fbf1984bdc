/*
 * source.mjs - the bytes of a file, a piece at a time.
 *
 * A file is read as a stream: the browser reads ahead by some pieces and waits
 * until they are taken, so a file of any size takes the same memory. All pieces
 * are read into one buffer, where the browser can: a new one for each would take
 * more time than the copy (docs/lab/browser.md). A file that is gzipped is
 * unpacked on its way.
 */
const GZIP = [0x1f, 0x8b];
const MOST_CONTROLS = 0.05; /* of the bytes of a text */
const SET_MAGIC = [0x89, 0x53, 0x53, 0x45, 0x54, 0x0d, 0x0a, 0x1a];
const SAMPLE_BYTES = 1 << 18;
const BUFFER_BYTES = 1 << 20;
const DELIMITERS = [',', ';', '\t', '|'];
const MOST_COLUMNS = 1000; /* in a list to choose from */
/* Lines that end with 0 are read piece by piece; what may be of another system
 * is read whole to see it. */
const MOST_READ = 256 << 20;
const LEAST_UNPACKED = 5; /* times, of text that is gzipped */

function begins(bytes, start) {
    return start.every((byte, i) => bytes[i] === byte);
}

async function bytesOf(blob) {
    return new Uint8Array(await blob.arrayBuffer());
}

/** @param {Blob} file */
async function isGzipped(file) {
    return begins(await bytesOf(file.slice(0, 2)), GZIP);
}

/** Does it begin as a set that was saved does? @param {Blob} file */
export async function isSetFile(file) {
    return begins(await bytesOf(file.slice(0, 8)), SET_MAGIC);
}

/** Counts what passes, before it is unpacked. */
function counting(tell) {
    return new TransformStream({
        transform(piece, to) {
            tell(piece.length);
            to.enqueue(piece);
        },
    });
}

/* Told by its name, in the reader's language. */
function gunzip() {
    if (typeof DecompressionStream === 'undefined')
        throw Object.assign(new Error('no DecompressionStream'),
            {errorName: 'gzip'});
    return new DecompressionStream('gzip');
}

/* Streams that are read. Chromium 156 collects one that waits for its file and
 * that only its reader knows of; the read then never ends. */
const beingRead = new Set();

/* null: this browser cannot read a file into a buffer of ours. */
function byteReader(stream) {
    try {
        return stream.getReader({mode: 'byob'});
    } catch {
        return null;
    }
}

/* A file that is cut while it is read ends early, and no browser says so. */
function checkWhole(file, count) {
    if (count < file.size)
        throw Object.assign(new Error('the file is shorter than it was'),
            {errorName: 'NotReadableError'});
}

/* The pieces of a file. Each is gone when the next one is read. */
function openPlain(file, tell) {
    const stream = file.stream();
    const bytes = byteReader(stream);
    const reader = bytes ?? stream.getReader();
    let buffer = bytes && new ArrayBuffer(BUFFER_BYTES);
    const use = {stream, reader};
    let count = 0;
    beingRead.add(use);
    return {
        async read() {
            const piece = await (bytes ? bytes.read(new Uint8Array(buffer))
                : reader.read());
            buffer = piece.value?.buffer; /* it comes back */
            tell(piece.value?.length ?? 0);
            count += piece.value?.length ?? 0;
            if (!piece.done) return piece;
            beingRead.delete(use);
            checkWhole(file, count);
            return piece;
        },
        cancel() {
            beingRead.delete(use);
            return reader.cancel();
        },
    };
}

/**
 * A piece that is read lasts until the next one.
 * @param {Blob} file
 * @param {(bytes: number) => void} tell how much of the file was read
 * @returns {Promise<{read: () => Promise<{done: boolean, value?: Uint8Array}>,
 *     cancel: () => Promise<void>}>}
 */
export async function openFile(file, tell) {
    if (!await isGzipped(file)) return openPlain(file, tell);
    const unpacking = gunzip();
    return file.stream().pipeThrough(counting(tell)).pipeThrough(unpacking)
        .getReader();
}

/** The first bytes of a file, unpacked. */
async function sampleOf(file) {
    const sample = new Uint8Array(SAMPLE_BYTES);
    let size = 0;
    const reader = await openFile(file, () => {});
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return {sample: sample.subarray(0, size), isWhole: true};
        const part = value.subarray(0, SAMPLE_BYTES - size);
        sample.set(part, size);
        size += part.length;
        if (size === SAMPLE_BYTES) break;
    }
    await reader.cancel();
    return {sample, isWhole: false};
}

/* The delimiter that makes the most columns. */
function columnsOf(library, sample) {
    let best = {delimiter: ',', header: null};
    if (sample.includes(0)) return best; /* it is no text */
    for (const delimiter of DELIMITERS) {
        const header = library.csvHeader(sample, delimiter.charCodeAt(0));
        if ((header?.length ?? 0) > (best.header?.length ?? 0))
            best = {delimiter, header: header.slice(0, MOST_COLUMNS)};
    }
    return best;
}

/* Control characters that no text has, but for those between its parts. */
function isBinary(sample) {
    const isControl = byte => byte < 32 && byte !== 0 && byte !== 27 &&
        (byte < 9 || byte > 13);
    const count = sample.reduce((sum, byte) => sum + isControl(byte), 0);
    return count > MOST_CONTROLS * sample.length;
}

function kindOf(name, sample, columns) {
    if (sample.includes(0)) return 'nul';
    const isTable = /\.(csv|tsv|tab)(\.gz)?$/i.test(name);
    return isTable && columns.header !== null ? 'csv' : 'lines';
}

function countOf(sample, byte) {
    let count = 0;
    for (let at = sample.indexOf(byte); at >= 0;
         at = sample.indexOf(byte, at + 1))
        count++;
    return count;
}

/* About how many lines the file has, from those of its start. */
function lineCount(file, {sample, isWhole}, kind, isPacked) {
    const ends = countOf(sample, kind === 'nul' ? 0 : 10);
    if (isWhole) return ends + (sample.length > 0 ? 1 : 0);
    const bytes = file.size * (isPacked ? LEAST_UNPACKED : 1);
    return Math.ceil(bytes * Math.max(ends, 1) / sample.length);
}

/**
 * What a file probably is: a set, one of another system, or lines, and of which
 * kind.
 * @param {object} library
 * @param {File} file
 * @param {(file: File) => Promise<boolean>} isForeign reads all of a file
 */
export async function inspect(library, file, isForeign) {
    if (await isSetFile(file)) return {kind: 'set'};
    const start = await sampleOf(file);
    const mayBeForeign = isBinary(start.sample) ||
        start.sample.includes(0) && file.size <= MOST_READ;
    if (mayBeForeign && await isForeign(file)) return {kind: 'foreign'};
    const columns = columnsOf(library, start.sample);
    const kind = kindOf(file.name ?? '', start.sample, columns);
    const isPacked = await isGzipped(file);
    return {kind, isPacked, isBinary: isBinary(start.sample),
            lines: lineCount(file, start, kind, isPacked), ...columns};
}
