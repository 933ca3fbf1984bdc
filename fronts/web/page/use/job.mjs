/*
 * job.mjs - files go through a set, and what is kept goes to a sink.
 *
 * A file is read, split and answered, and its lines written, piece after piece;
 * so the memory is that of the set and of some pieces. In between, the worker
 * looks into its messages: the reader may have cancelled.
 */
import {openFile} from './source.mjs';

const BREATH_MS = 200; /* three processes draw the page again after each */
const SEPARATORS = {lines: 10, nul: 0, csv: 10};

/** The reader cancelled. */
export class Cancelled extends Error {}

/* Lets messages to the worker be handled. A timer would wait for longer. */
function breathe() {
    return new Promise(resolve => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => { port1.close(); resolve(); };
        port2.postMessage(null);
    });
}

/* What lines() is asked for, for file number `number`. */
function linesOptions(options, number) {
    const {kind, keep, column, delimiter, hasHeader} = options;
    const out = {separator: SEPARATORS[kind], keep};
    if (kind !== 'csv') return out;
    return {...out, csvColumn: column,
            csvDelimiter: delimiter.charCodeAt(0),
            csvHeader: hasHeader && number > 0 ? 'drop' : hasHeader};
}

function add(total, counts) {
    total.lines += counts.lines;
    total.kept += counts.kept;
    total.dropped += counts.dropped;
    total.withoutColumn += counts.withoutColumn;
    total.hasOpenQuote ||= counts.hasOpenQuote;
}

/** One run of the worker: files in, lines out. */
export class Job {
    #options;
    #sink;
    #tell;
    #isCancelled = false;
    #started = 0;
    #busyMs = 0; /* in WebAssembly */
    #readBytes = 0;
    #total = {lines: 0, kept: 0, dropped: 0, withoutColumn: 0,
              hasOpenQuote: false};

    /**
     * @param {object} set
     * @param {object} options of ui: kind, keep, column, delimiter, hasHeader
     * @param {import('./sink.mjs').Sink} sink
     * @param {(progress: object) => void} tell
     */
    constructor(set, options, sink, tell) {
        this.set = set;
        this.#options = options;
        this.#sink = sink;
        this.#tell = tell;
    }

    cancel() {
        this.#isCancelled = true;
    }

    #progress(now) {
        const lines = this.#total.lines + now.lines;
        this.#tell({readBytes: this.#readBytes, lines,
                    kept: this.#total.kept + now.kept,
                    ms: performance.now() - this.#started});
    }

    /* Does `work(take)`. The kept lines before an error are written too. */
    async #push(work) {
        let from = performance.now();
        try {
            work(kept => {
                this.#busyMs += performance.now() - from;
                this.#sink.take(kept);
                from = performance.now();
            });
        } finally {
            this.#busyMs += performance.now() - from;
            await this.#sink.pass();
        }
    }

    async #pieces(reader, lines) {
        let breath = performance.now();
        for (;;) {
            const {done, value} = await reader.read();
            if (done) break;
            await this.#push(take => lines.pushTo(value, take));
            if (performance.now() - breath > BREATH_MS) {
                this.#progress(lines.counts);
                await breathe();
                breath = performance.now();
            }
            if (this.#isCancelled) throw new Cancelled();
        }
        await this.#push(take => lines.endTo(take));
    }

    async #file(file, number) {
        const reader = await openFile(file, bytes => {
            this.#readBytes += bytes;
        });
        const lines = this.set.lines(linesOptions(this.#options, number));
        try {
            await this.#pieces(reader, lines);
        } catch (error) {
            await reader.cancel().catch(() => {});
            throw error;
        } finally {
            add(this.#total, lines.counts);
            lines.free();
        }
    }

    /** @param {File[]} files */
    async run(files) {
        this.#started = performance.now();
        for (const [number, file] of files.entries())
            await this.#file(file, number);
        return this.result();
    }

    result() {
        return {...this.#total, readBytes: this.#readBytes,
                writtenBytes: this.#sink.bytes, where: this.#sink.where,
                busyMs: this.#busyMs,
                ms: performance.now() - this.#started};
    }
}
