/*
 * foreign_file.mjs - an open file of another system, asked and measured.
 *
 * It has one filter or many: of Parquet one for a column of each row group. A
 * key is asked for in all filters of a column, which may be any one's answer.
 * What a check says is what `seenset check --json` prints.
 */
import {eachPiece, lengthOf} from './batch.mjs';
import {camel} from './core.mjs';
import {dispose} from './dispose.mjs';
import {SeensetError, invalid} from './errors.mjs';
import {fileBytes} from './file.mjs';
import {checkOptions, whole} from './options.mjs';

const PARQUET = 'parquet';
const OWN_BYTES = -1; // the keys are as the filter hashes them

/** Members of JSON by their names here. */
function renamed(value) {
    if (Array.isArray(value))
        return value.map(renamed);
    if (typeof value !== 'object' || value === null)
        return value;
    return Object.fromEntries(Object.entries(value)
        .map(([name, inner]) => [camel(name), renamed(inner)]));
}

/* A number is the text of it; bytes are a filter's own. */
function textOf(key) {
    return typeof key === 'number' || typeof key === 'bigint' ? String(key)
        : key;
}

function inRow(of, format) {
    const place = format === PARQUET
        ? ` of '${of.column}' in row group ${of.rowGroup}` : '';
    return `The filter${place} cannot be asked: ${of.because} (at byte ` +
        `${of.reasonOffset}).`;
}

/** @type {typeof import('./foreign.js').ForeignFile} */
export class ForeignFile {
    #core;
    #openWith;
    #block;
    #file;
    #info;
    #filters;
    /** Numbers of the filters that are asked. */ #chosen = [];
    #column;
    #funnel = 0;
    #hasGaps = false;

    /**
     * @param {import('./core.mjs').Core} core its own, with the file's bytes
     * @param {(block?: string) => number} openWith opens these
     */
    constructor(core, openWith, options) {
        this.#core = core;
        this.#openWith = openWith;
        this.#block = options.block;
        this.#file = openWith(this.#block);
        this.#info = this.#json('info');
        this.#filters = Array.from({length: this.#info.filterCount},
            (_, i) => this.#json('filter', i));
        this.choose(options);
    }

    get #live() {
        if (this.#core === null)
            throw invalid('The file was freed: open it again.');
        return this.#core;
    }

    get #exports() {
        return this.#live.exports;
    }

    /* What a call writes as JSON. */
    #json(call, ...numbers) {
        const place = this.#exports[`web_foreign_${call}`](this.#file,
            ...numbers);
        if (place === 0)
            this.#core.check(-2);
        return renamed(JSON.parse(this.#core.text(place)));
    }

    // ---- what it is ----

    info() {
        return {...this.#info, columns: this.columns, column: this.column,
            hasGaps: this.#hasGaps};
    }

    get columns() {
        return [...new Set(this.#filters.map(({column}) => column))];
    }

    get column() {
        return this.#column;
    }

    get funnels() {
        const names = [];
        for (let i = 1;; i++) {
            const place = this.#exports.web_foreign_funnel_name(this.#file, i);
            if (place === 0)
                return names.filter((name) => name !== '');
            names.push(this.#core.text(place));
        }
    }

    check(number) {
        const count = this.#filters.length;
        if (number !== undefined && whole(number, 'filter', 0) >= count)
            throw invalid(`There is no filter ${number}: it has ${count}.`);
        const {filterCount, ...file} = this.#info;
        const wanted = number === undefined ? this.#filters.keys() : [number];
        return {...file, filters: Array.from(wanted,
            (i) => this.#json('check', i).filters[0])};
    }

    // ---- which filters are asked ----

    choose(options) {
        const {column, funnel, block, ...others} = checkOptions(options);
        const [unknown] = Object.keys(others);
        if (unknown !== undefined)
            throw invalid(`There is no option ${unknown}.`);
        const wanted = column ?? this.#onlyColumn();
        const chosen = [...this.#filters.keys()].filter((i) =>
            this.#filters[i].column === wanted);
        if (column !== undefined && chosen.length === 0)
            throw invalid(`It has no Bloom filter of '${column}'; it has ` +
                `those of: ${this.columns.join(', ')}.`);
        const through = this.#funnelOf(funnel);
        this.#useBlock(block);
        this.#funnel = through;
        this.#column = wanted;
        this.#chosen = chosen;
        const groups = new Set(chosen.map((i) => this.#filters[i].rowGroup));
        this.#hasGaps = this.#info.format === PARQUET &&
            groups.size < this.#info.rowGroups;
    }

    /* Opens the file again, if that is another block; a hash stays. */
    #useBlock(block) {
        if (block === undefined || block === this.#block)
            return;
        const again = this.#openWith(block);
        this.#exports.web_foreign_close(this.#file);
        this.#file = again;
        this.#block = block;
    }

    /* That of all filters, if there is but one. */
    #onlyColumn() {
        const {columns} = this;
        return columns.length === 1 ? columns[0] : undefined;
    }

    #funnelOf(name) {
        const number = (place) =>
            this.#exports.web_foreign_funnel(this.#file, place);
        if (name === undefined)
            return number(0);
        this.#live.storeKey(`${name}\0`);
        const found = number(this.#core.keyPlace);
        if (found === 0)
            throw invalid(`'${name}' is not a funnel of files of ` +
                `${this.#info.format}.`);
        return found;
    }

    /* Those that can be asked, or an error that says why not. */
    #asked() {
        if (this.#filters.length === 0)
            throw invalid('It has no Bloom filters.');
        if (this.#column === undefined)
            throw invalid('It has filters of several columns: choose one, as ' +
                `in choose({column: '${this.columns[0]}'}). They are: ` +
                `${this.columns.join(', ')}.`);
        const wrong = this.#chosen.map((i) => this.#filters[i])
            .find(({error}) => error !== '');
        if (wrong !== undefined)
            throw new SeensetError(
                wrong.error === 'SEENSET_EUNSUPPORTED' ? -6 : -13, wrong.error,
                inRow(wrong, this.#info.format));
        return this.#chosen;
    }

    // ---- keys ----

    has(key) {
        return this.hasMany([key])[0] === 1;
    }

    hasMany(keys) {
        const answers = new Uint8Array(lengthOf(keys));
        for (const filter of this.#asked())
            this.#ask(filter, keys).forEach((seen, i) => {
                answers[i] |= seen;
            });
        return this.#hasGaps ? answers.fill(1) : answers;
    }

    rowGroups(key) {
        return this.rowGroupsMany([key])[0];
    }

    rowGroupsMany(keys) {
        const found = Array.from({length: lengthOf(keys)}, () => new Set());
        const known = new Set();
        for (const filter of this.#asked()) {
            const {rowGroup} = this.#filters[filter];
            known.add(rowGroup);
            this.#ask(filter, keys).forEach((seen, i) => {
                if (seen === 1)
                    found[i].add(rowGroup);
            });
        }
        const gaps = this.#info.format !== PARQUET ? []
            : [...Array(this.#info.rowGroups).keys()]
                .filter((group) => !known.has(group));
        return found.map((groups) => [...groups, ...gaps]
            .sort((a, b) => a - b));
    }

    /* One filter, all keys: in the filter's own bytes, or as texts. */
    #ask(filter, batch) {
        const answers = new Uint8Array(lengthOf(batch));
        if (!Array.isArray(batch)) {
            this.#askAll(filter, OWN_BYTES, batch, answers, 0);
            return answers;
        }
        const kindOf = (key) => key instanceof Uint8Array;
        for (let first = 0, end; first < batch.length; first = end) {
            const isBytes = kindOf(batch[first]);
            for (end = first + 1; end < batch.length &&
                kindOf(batch[end]) === isBytes;)
                end += 1;
            this.#askAll(filter, isBytes ? OWN_BYTES : this.#funnel,
                batch.slice(first, end).map(textOf), answers, first);
        }
        return answers;
    }

    #askAll(filter, through, batch, answers, from) {
        const core = this.#live;
        eachPiece(core, batch, (piece, part) => {
            const code = this.#exports.web_foreign_has_many(this.#file, filter,
                through, piece.data, piece.offsets, part.count,
                piece.answers);
            if (code < 0)
                throw this.#refusal(code);
            answers.set(core.copyOut(piece.answers, part.count),
                from + part.first);
        });
    }

    /* The option is not a word of a command here. */
    #refusal(code) {
        const problem = this.#core.text(this.#exports.web_foreign_problem());
        const error = this.#core.error(code);
        if (error.errorName === 'SEENSET_ESECRET')
            error.message = 'The filter of a block is asked with the hash of ' +
                'that block, which is not in the file: give it as block.';
        return problem === '' ? error
            : invalid(`${problem.replace(/--funnel=?/, 'funnel ').trim()}.`);
    }

    // ---- a filter as a set ----

    saveSet(number = 0) {
        const core = this.#live;
        core.check(core.exports.web_foreign_set(core.made, this.#file,
            whole(number, 'filter', 0)));
        const set = core.takeMade();
        try {
            return fileBytes(core, set);
        } finally {
            core.exports.web_free(set);
        }
    }

    free() {
        this.#core = null; // and its memory with it
    }

    [dispose]() {
        this.free();
    }

    [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
        return this.#core === null ? 'ForeignFile {freed}'
            : `ForeignFile ${inspect(this.info(), options)}`;
    }
}
