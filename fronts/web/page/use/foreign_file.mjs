/*
 * foreign_file.mjs - the worker's end of foreign.mjs: a file of another system,
 * opened, measured and asked. One is open at a time.
 *
 * The module that reads them is fetched with the first file that may be one.
 */
const FORMAT = 'SEENSET_EFORMAT';
const place = new URL('../module/', import.meta.url);

let opened = null; /* {file, key} */

/* The same File is another object when it comes again. */
const keyOf = ({name, size, lastModified}) => `${size} ${lastModified} ${name}`;

function forget() {
    opened?.file.free();
    opened = null;
}

async function open(file) {
    const key = keyOf(file);
    if (opened?.key === key) return opened.file;
    forget();
    const {openForeign} = await import('../module/foreign.mjs');
    opened = {key, file: await openForeign(file, {wasm: place})};
    return opened.file;
}

/** Is a file one of another system, damaged or not? @param {File} file */
export async function isForeign(file) {
    try {
        await open(file);
        return true;
    } catch (error) {
        if (error.errorName === FORMAT) return false;
        if (error.report !== undefined) return true;
        throw error;
    }
}

/* What is damaged as a whole has no figures. */
async function describe(library, {file}) {
    try {
        const found = await open(file);
        return {name: file.name, info: found.info(), check: found.check(),
                funnels: found.funnels};
    } catch (error) {
        if (error.report === undefined) throw error;
        return {name: file.name, report: error.report};
    }
}

/* Keys of lines; a choice of {} is that of a file with one column. Another file
 * may have been opened since. */
async function ask(library, {file: wanted, keys, choice}) {
    const file = await open(wanted);
    file.choose(choice);
    const groups = file.info().rowGroups > 1 || file.info().hasGaps
        ? file.rowGroupsMany(keys) : null;
    return {answers: [...file.hasMany(keys)], groups};
}

export const foreignCalls = {
    foreign: describe,
    askForeign: ask,
    saveForeign: async (library, {file, number}) =>
        new Blob([(await open(file)).saveSet(number)],
            {type: 'application/octet-stream'}),
};
