/*
 * settings.mjs - what is a line, which lines are kept, how sure and how large.
 *
 * What the reader chose is in the address. What a file suggests, such as its
 * columns and how many lines it may have, is not.
 */
import {h} from '../ui/dom.mjs';
import {check, choice, list, textField} from './fields.mjs';

const KINDS = ['lines', 'csv', 'nul'];
const KEEPS = ['new', 'repeated', 'seen', 'unseen'];
const LAYOUTS = ['blocked', 'bloom', 'split_block', 'fingerprint', 'counting'];
const DEFAULTS = {p: '1e-9', n: '', window: '', layout: 'blocked',
    keep: 'new', column: '1', kind: ''};
const LEAST_CAPACITY = 10000;
const MOST_CAPACITY = 10000000; /* as the command, which does not ask */

/** 1, 2 or 5 times a power of ten, and not less. */
function roundUp(count) {
    const power = 10 ** Math.floor(Math.log10(count));
    return [1, 2, 5, 10].map(step => step * power)
        .find(step => step >= count);
}

/**
 * How many different lines a set is planned for, if nobody says so. It grows if
 * there are more.
 * @param {number} lines
 */
export function suggestedCapacity(lines) {
    return Math.min(MOST_CAPACITY,
        roundUp(Math.max(LEAST_CAPACITY, lines)));
}

/** 100000: 100k, as the command takes it. */
export function shortCount(count) {
    for (const [unit, letter] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
        if (count >= unit && count % unit === 0) return count / unit + letter;
    return String(count);
}

const right = ({error}) => error === undefined;

function named(names, text, stem) {
    return names.map(value => ({value, title: text(`${stem}.${value}`)}));
}

export class Settings {
    #text;
    #parse;
    #url;
    #found = {lines: 0, delimiter: ',', header: []};
    #hasSet = false;
    #isKindChosen = false;

    /**
     * @param {import('../app.mjs').Shell} shell
     * @param {() => void} tell that something changed
     */
    constructor({text, parse, url}, tell) {
        this.#text = text;
        this.#parse = parse;
        this.#url = url;
        this.#makeFields(() => {
            this.#save();
            this.#update();
            tell();
        });
        const {kind, keep, goesOn} = this;
        this.#place();
        this.parts = [kind.root, this.table, keep.root, goesOn.root,
            this.more];
    }

    #makeFields(changed) {
        const text = this.#text;
        this.kind = choice(text('kind.label'), named(KINDS, text, 'kind'),
            () => { this.#isKindChosen = true; changed(); });
        this.keep = choice(text('keep.label'), named(KEEPS, text, 'keep'),
            changed);
        this.column = list(text('column'), [], changed);
        this.header = check(text('header'), true,
            () => { this.#offerColumns(); changed(); });
        this.rate = textField(text('rate'), {hint: text('rate_note')},
            changed);
        this.capacity = textField(text('capacity'),
            {hint: text('capacity_note')}, changed);
        this.window = textField(text('window'), {hint: text('window_note'),
            placeholder: text('window_none')}, changed);
        this.layout = list(text('layout.label'),
            named(LAYOUTS, text, 'layout'), changed);
        this.goesOn = check(text('continue'), true, changed);
    }

    #place() {
        this.table = h('div', {class: 'fields'}, this.column.root,
            this.header.root);
        this.more = h('details', {class: 'more'},
            h('summary', {}, this.#text('more')),
            h('div', {class: 'fields'}, this.rate.root, this.capacity.root,
                this.layout.root, this.window.root));
    }

    /* What was written, by its name in the address. */
    #written() {
        const {plain} = this.#parse;
        return {p: plain(this.rate.value), n: plain(this.capacity.value),
            window: plain(this.window.value), layout: this.layout.value,
            keep: this.keep.value, column: this.column.value || '1',
            kind: this.#isKindChosen ? this.kind.value : ''};
    }

    #save() {
        const state = this.#written();
        for (const [name, value] of Object.entries(DEFAULTS))
            if (state[name] === value) state[name] = '';
        this.#url.set(state);
    }

    /** Shows what is in the address. */
    restore() {
        const state = {...DEFAULTS, ...this.#url.get()};
        this.rate.value = state.p;
        this.capacity.value = state.n;
        this.window.value = state.window;
        this.layout.value = state.layout;
        this.#isKindChosen = KINDS.includes(state.kind);
        if (this.#isKindChosen) this.kind.value = state.kind;
        this.#update();
        this.keep.value = state.keep;
    }

    #offerColumns() {
        const text = this.#text;
        const title = this.header.value ? 'column_named' : 'column_number';
        const before = this.column.value || this.#url.get().column;
        this.column.offer(this.#found.header.map((name, i) =>
            ({value: String(i + 1), title: text(title,
                {number: i + 1, name})})));
        this.column.value = before;
    }

    get isContinued() {
        return this.#hasSet && this.goesOn.value;
    }

    #update() {
        this.goesOn.root.hidden = !this.#hasSet;
        this.more.hidden = this.isContinued;
        this.keep.offer(this.isContinued ? KEEPS : KEEPS.slice(0, 2));
        this.table.hidden = this.kind.value !== 'csv';
        this.capacity.placeholder = this.#text('capacity_auto',
            {count: shortCount(suggestedCapacity(this.#found.lines))});
        this.#check();
    }

    /* What was written, as the module takes it; errors are marked. */
    #check() {
        const read = (field, reader) => {
            const isEmpty = field.value === '' && field !== this.rate;
            const answer = isEmpty ? {} : reader(field.value);
            field.mark(answer.error);
            return answer;
        };
        const all = {p: read(this.rate, this.#parse.rate),
            n: read(this.capacity, this.#parse.count),
            w: read(this.window, this.#parse.window)};
        return Object.values(all).every(right) ? all : null;
    }

    /* The options of a new set. */
    #setOptions({p, n, w}) {
        const options = {layout: this.layout.value, fpRate: p.value,
            capacity: n.value ?? suggestedCapacity(this.#found.lines)};
        if (w.value === undefined) return options;
        options.onFull = 'rotate';
        if (w.unit === 'seconds') options.windowSeconds = w.value;
        else options.capacity = w.value;
        return options;
    }

    #lineOptions() {
        const {header, delimiter} = this.#found;
        const number = Number(this.column.value || '1');
        const name = header[number - 1];
        const isUnique = header.filter(other => other === name).length === 1;
        return {kind: this.kind.value, keep: this.keep.value, delimiter,
            column: this.header.value && isUnique ? name : number,
            hasHeader: this.header.value};
    }

    /** What inspect() found in the files. */
    suggest(found) {
        this.#found = {...found, header: found.header ?? []};
        if (!this.#isKindChosen) this.kind.value = found.kind;
        this.#offerColumns();
        this.#update();
    }

    /** Whether there is a set to go on with. */
    offerSet(isThere) {
        this.#hasSet = isThere;
        this.#update();
    }

    /** @returns {object | null} null: something is wrong, and marked */
    read() {
        const all = this.#check();
        const {isContinued} = this;
        if (all === null && !isContinued) return null;
        return {options: this.#lineOptions(), isContinued,
            settings: isContinued ? null : this.#setOptions(all),
            written: this.#written()};
    }
}
