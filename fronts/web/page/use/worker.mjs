/*
 * worker.mjs - the set of the panel "Use it", away from the page.
 *
 * The page sends {id, call, given} and gets {id, result} or {id, error}, and
 * while a call runs {id, progress}. There is one set at a time: that of the
 * last run, or one that was opened.
 */
import {load} from '../module/seenset.mjs';
import {foreignCalls, isForeign} from './foreign_file.mjs';
import {Cancelled, Job} from './job.mjs';
import {fillsOfSet} from './shape.mjs';
import {Sink} from './sink.mjs';
import {inspect} from './source.mjs';

const COUNTED = ['counting', 'fingerprint']; /* have copies of a key */
const COPY_BYTES = 1 << 20; /* of a file that is read where it is */

const loading = load({wasm: new URL('../module/', import.meta.url)});
let set = null;
let job = null;
let file = null; /* the set's, if it was opened */

function forget() {
    set?.free();
    set = null;
    file = null;
}

/* A file as the module reads it: by offset, never whole. */
function sourceOf(blob) {
    const reader = new FileReaderSync();
    return {
        size: blob.size,
        read(offset, into) {
            let done = 0;
            while (done < into.length && offset + done < blob.size) {
                const end = Math.min(into.length, done + COPY_BYTES);
                const part = new Uint8Array(reader.readAsArrayBuffer(
                    blob.slice(offset + done, offset + end)));
                into.set(part, done);
                done += part.length;
            }
            return done;
        },
    };
}

/** All that `seenset info` and `verify` say. */
function describe(library) {
    const info = set.info();
    return {
        name: file?.name ?? '',
        verdict: file === null ? null : library.verify(sourceOf(file)),
        info,
        stats: set.stats(),
        uniformity: set.uniformity(),
        tables: Array.from({length: info.tableCount},
            (_, i) => set.tableInfo(i)),
        picture: fillsOfSet(set),
        isSealed: info.layout === 'sealed',
    };
}

const isAdding = ({options: {keep}}) => keep === 'new' || keep === 'repeated';

/*
 * The set that a run works on. One that takes new lines is a copy of the set
 * that there is: if the run does not end, its lines are nowhere to be had, so
 * none of them may count as seen. A run that only asks changes nothing.
 */
function prepare(library, given) {
    if (given.isContinued && set !== null)
        return isAdding(given) ? set.copy() : set;
    forget(); /* the page has asked, if it was not saved */
    return new library.SeenSet(given.settings);
}

/* The run has ended well: its set is the set. */
function adopt(worked) {
    if (worked === set) return;
    forget();
    set = worked;
}

async function run(library, given, tell) {
    const sink = await Sink.open(given.chosen ?? null);
    let worked = set;
    try {
        worked = prepare(library, given);
        job = new Job(worked, given.options, sink, tell);
        const result = await job.run(given.files);
        const output = await sink.close();
        adopt(worked);
        return {...result, where: sink.where, output, stats: set.stats(),
                memoryBytes: library.memoryBytes(), isAdded: isAdding(given)};
    } catch (error) {
        await sink.abort();
        if (worked !== set) worked?.free();
        if (error instanceof Cancelled)
            return {...job.result(), isCancelled: true};
        throw error;
    } finally {
        job = null;
    }
}

function open(library, {file: wanted, secret}) {
    const verdict = library.verify(sourceOf(wanted));
    if (!verdict.sound) return {verdict, name: wanted.name};
    const opened = library.SeenSet.open(sourceOf(wanted),
        secret === undefined ? {} : {secret});
    forget();
    set = opened;
    file = wanted;
    return describe(library);
}

/* Another set beside the one that there is, for as long as `use` runs. */
function beside(library, other, use) {
    if (set === null)
        throw new Error('The first set is not open.');
    const opened = library.SeenSet.open(sourceOf(other));
    try {
        return use(opened);
    } finally {
        opened.free();
    }
}

/* Both in one. If that cannot be, the set is as it was. */
function unite(library, {file: other}) {
    beside(library, other, opened => {
        const both = set.copy();
        try {
            both.merge(opened);
        } catch (error) {
            both.free();
            throw error;
        }
        forget();
        set = both;
    });
    return describe(library);
}

function ask(library, {keys}) {
    const answers = [...set.hasMany(keys)];
    const counts = COUNTED.includes(set.info().layout)
        ? keys.map(key => set.count(key)) : null;
    return {answers, counts};
}

function save() {
    const parts = [];
    set.saveTo(piece => { parts.push(new Blob([piece])); });
    return new Blob(parts, {type: 'application/octet-stream'});
}

const calls = {
    inspect: (library, given) => inspect(library, given.file, isForeign),
    ...foreignCalls,
    run,
    open,
    describe,
    compare: (library, given) =>
        beside(library, given.file, other => set.overlap(other)),
    unite,
    ask,
    save,
    forget,
};

/* An error crosses to the page as a plain object. */
function plain(error) {
    return {message: error.message, name: error.errorName ?? error.name,
            code: error.code, report: error.report};
}

self.addEventListener('message', async ({data: {id, call, given}}) => {
    if (call === 'cancel') {
        job?.cancel();
        return;
    }
    const tell = progress => self.postMessage({id, progress});
    try {
        const result = await calls[call](await loading, given, tell);
        self.postMessage({id, result});
    } catch (error) {
        self.postMessage({id, error: plain(error)});
    }
});
