/*
 * sink.mjs - where the lines that are kept go.
 *
 *     up to 16 MiB     memory
 *     more             a file of this page, on the browser's own disk space
 *                      (the origin private file system), which the download
 *                      copies
 *     or at once       the file that the reader has chosen, where the browser
 *                      lets a page write one
 *
 * So the memory that the output takes is bounded. Where the page may have no
 * disk space (some private windows), the lines become parts of a Blob, which
 * the browser may keep on its disk or not.
 *
 * The page's files are in a folder of the worker's own, which holds a lock of
 * that name. A folder without a lock is left from a page that was closed, and
 * is removed.
 */
const MEMORY_BYTES = 1 << 24;
const PIECE_BYTES = 1 << 20;
const HOME = 'seenset-use';
const own = `${HOME}-${crypto.randomUUID()}`;
let home = null;

/* Held until the worker ends. */
function holdLock() {
    return new Promise((resolve, reject) => {
        navigator.locks.request(own, () => {
            resolve();
            return new Promise(() => {});
        }).catch(reject);
    });
}

async function removeLeft(root) {
    for await (const name of root.keys()) {
        if (!name.startsWith(`${HOME}-`) || name === own) continue;
        await navigator.locks.request(name, {ifAvailable: true}, lock =>
            lock && root.removeEntry(name, {recursive: true}));
    }
}

/* The folder, or null where the browser gives none. */
async function openHome() {
    try {
        await holdLock();
        const root = await navigator.storage.getDirectory();
        await removeLeft(root);
        return await root.getDirectoryHandle(own, {create: true});
    } catch {
        return null;
    }
}

let opened = 0;

/* The output before the last is not being downloaded any more. */
async function removeOld(folder) {
    await folder.removeEntry(`lines-${opened - 2}`).catch(() => {});
}

/* A file of this page. Returns null where there is none to be had. */
async function openOwnFile() {
    home ??= openHome();
    const name = `lines-${++opened}`;
    try {
        const folder = await home;
        await removeOld(folder);
        const handle = await folder.getFileHandle(name, {create: true});
        const file = await handle.createSyncAccessHandle();
        return {
            where: 'disk',
            write: bytes => { file.write(bytes); },
            async close() {
                file.flush();
                file.close();
                return handle.getFile();
            },
            async abort() {
                file.close();
                await folder.removeEntry(name);
            },
        };
    } catch {
        return null;
    }
}

/* The parts of a Blob. */
function openParts(where) {
    const parts = [];
    return {
        where,
        write: bytes => { parts.push(new Blob([bytes])); },
        close: async () => new Blob(parts),
        abort: async () => { parts.length = 0; },
    };
}

/* The file that the reader has chosen. */
async function openChosen(handle) {
    const file = await handle.createWritable();
    return {
        where: 'file',
        write: bytes => file.write(bytes),
        close: async () => { await file.close(); return null; },
        abort: () => file.abort(),
    };
}

/** Takes bytes of any size, and gives them on in larger pieces. */
export class Sink {
    #to = openParts('memory');
    #piece = new Uint8Array(PIECE_BYTES);
    #used = 0;
    bytes = 0;

    /** @param {FileSystemFileHandle | null} chosen */
    static async open(chosen = null) {
        const sink = new Sink();
        if (chosen !== null) sink.#to = await openChosen(chosen);
        return sink;
    }

    /** "memory", "disk", "file", or "parts" */
    get where() {
        return this.#to.where;
    }

    /* From memory to the disk, with all that was written. */
    async #spill() {
        const disk = await openOwnFile() ?? openParts('parts');
        const before = await this.#to.close();
        disk.write(new Uint8Array(await before.arrayBuffer()));
        this.#to = disk;
    }

    async #flush() {
        const bytes = this.#piece.slice(0, this.#used);
        this.#used = 0;
        if (this.where === 'memory' && this.bytes > MEMORY_BYTES)
            await this.#spill();
        await this.#to.write(bytes);
    }

    /** @param {Uint8Array} bytes */
    async write(bytes) {
        this.bytes += bytes.length;
        for (let at = 0; at < bytes.length;) {
            const part = bytes.subarray(at, at + PIECE_BYTES - this.#used);
            this.#piece.set(part, this.#used);
            this.#used += part.length;
            at += part.length;
            if (this.#used === PIECE_BYTES) await this.#flush();
        }
    }

    /** @returns {Promise<Blob | null>} null: it is in the chosen file */
    async close() {
        if (this.#used > 0) await this.#flush();
        return this.#to.close();
    }

    /** Nothing of it is kept. */
    async abort() {
        await this.#to.abort().catch(() => {});
    }
}
