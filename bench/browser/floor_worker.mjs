/* What a browser takes to read a file and to write a part of it, with nothing
 * done in between: the least that a page can take that filters its lines.
 *
 *     stream   the pieces of file.stream(), as they come
 *     byob     the same, read into one buffer
 *     slice    file.slice(from, to).arrayBuffer(), one ahead
 *     sync     the same by FileReaderSync, none ahead
 *
 * The first `share` of each piece is written to a file of the page. */

async function* by_stream(file) {
    const reader = file.stream().getReader();
    for (;;) {
        const {done, value} = await reader.read();
        if (done)
            return;
        yield value;
    }
}

async function* by_slice(file, size) {
    const read = (at) => at < file.size
        ? file.slice(at, at + size).arrayBuffer() : null;
    let next = read(0);
    for (let at = 0; next !== null;) {
        const piece = await next;
        at += piece.byteLength;
        next = read(at);
        yield new Uint8Array(piece);
    }
}

async function* by_sync(file, size) {
    const reader = new FileReaderSync();
    for (let at = 0; at < file.size; at += size)
        yield new Uint8Array(
            reader.readAsArrayBuffer(file.slice(at, at + size)));
}

/* Held, so that the browser does not collect it while it waits. */
let held = null;

async function* by_byob(file, size) {
    const stream = file.stream();
    const reader = stream.getReader({mode: "byob"});
    held = {stream, reader};
    let room = new ArrayBuffer(size);
    for (;;) {
        const {done, value} = await reader.read(new Uint8Array(room));
        if (done)
            return;
        yield value;
        room = value.buffer;
    }
}

const ways = {stream: by_stream, slice: by_slice, sync: by_sync,
              byob: by_byob};

async function open_output() {
    const root = await navigator.storage.getDirectory();
    const handle = await root.getFileHandle("floor", {create: true});
    const file = await handle.createSyncAccessHandle();
    file.truncate(0);
    return file;
}

self.onmessage = async ({data: {file, how, share, piece}}) => {
    const output = share > 0 ? await open_output() : null;
    const started = performance.now();
    let bytes = 0;
    let pieces = 0;
    for await (const some of ways[how](file, piece)) {
        bytes += some.length;
        pieces += 1;
        if (share > 0)
            output.write(some.subarray(0, Math.ceil(share * some.length)));
    }
    output?.close();
    held = null;
    self.postMessage({ms: performance.now() - started, bytes, pieces});
};
