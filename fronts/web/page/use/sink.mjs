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
const LEAST_WRITTEN = 1 << 16; /* from where it is, to the disk */
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

/* A disk that is full may take a part. */
function writeAll(file, bytes) {
    for (let at = 0; at < bytes.length;) {
        const count = file.write(bytes.subarray(at));
        if (!(count > 0))
            throw new DOMException('The disk is full.', 'QuotaExceededError');
        at += count;
    }
}

/* A file of this page. Returns null where there is none to be had. It is not
 * flushed: it need not outlast the machine, and a reader sees it as written. */
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
            write: bytes => writeAll(file, bytes),
            async close() {
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

/* The first lines: few stay here, and many go on to the disk. */
function openMemory() {
    const parts = [];
    return {
        where: 'memory',
        parts,
        write: bytes => { parts.push(bytes); },
        close: async () => new Blob(parts),
        abort: async () => { parts.length = 0; },
    };
}

/* The parts of a Blob, each of which the browser has. */
function openParts() {
    const memory = openMemory();
    return {...memory, where: 'parts',
            write: bytes => memory.write(new Blob([bytes]))};
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

/**
 * Takes bytes of any size, and gives them on in larger pieces; many at once go
 * to the disk from where they are.
 */
export class Sink {
    #to = openMemory();
    #piece = null;
    #used = 0;
    #full = []; /* pieces that are to be given on */
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
        const {parts} = this.#to;
        this.#to = await openOwnFile() ?? openParts(); /* abort removes it */
        for (const part of parts) this.#to.write(part);
    }

    /* What there is of a piece is one. */
    #endPiece() {
        if (this.#used > 0)
            this.#full.push(this.#piece.subarray(0, this.#used));
        this.#piece = null;
        this.#used = 0;
    }

    #gather(bytes) {
        for (let at = 0; at < bytes.length;) {
            this.#piece ??= new Uint8Array(PIECE_BYTES);
            const part = bytes.subarray(at, at + PIECE_BYTES - this.#used);
            this.#piece.set(part, this.#used);
            this.#used += part.length;
            at += part.length;
            if (this.#used === PIECE_BYTES) this.#endPiece();
        }
    }

    /**
     * Takes bytes before it returns, so they may change then.
     * @param {Uint8Array} bytes
     */
    take(bytes) {
        this.bytes += bytes.length;
        const isDirect = this.where === 'disk' && bytes.length >= LEAST_WRITTEN;
        if (!isDirect) return this.#gather(bytes);
        this.#endPiece();
        for (const piece of this.#full.splice(0)) this.#to.write(piece);
        this.#to.write(bytes);
    }

    /** Gives on what was taken, but for a piece that is not full. */
    async pass() {
        if (this.where === 'memory' && this.bytes > MEMORY_BYTES)
            await this.#spill();
        for (const piece of this.#full.splice(0)) await this.#to.write(piece);
    }

    /** @returns {Promise<Blob | null>} null: it is in the chosen file */
    async close() {
        this.#endPiece();
        await this.pass();
        return this.#to.close();
    }

    /** Nothing of it is kept. */
    async abort() {
        await this.#to.abort().catch(() => {});
    }
}
