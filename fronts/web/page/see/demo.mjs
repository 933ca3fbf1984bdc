/*
 * demo.mjs - sets that are given the same keys, beside the truth.
 *
 * What is done to a key (ask, add, remove, clear its bits) is done here, and
 * the finding says all that can be said of it: its places, which of them were
 * set and by whom, the set's answer, and whether that is right. No word of it
 * is text; verdict.mjs makes sentences of a finding.
 */
import {hex} from './derive.mjs';
import {Exhibit} from './exhibit.mjs';
import {fingerprintText} from './fingerprint.mjs';
import {Ledger} from './ledger.mjs';
import {batchOf, stranger, strangerBatch, STRANGERS, word} from './words.mjs';

const MOST_TRIED = 10 * STRANGERS;
const MOST_ADDED = 20000;
const MOST_CELLS = 65536; /* of a set that is filled to find one */

/**
 * @typedef {object} Finding
 * @property {string} key
 * @property {'ask'|'add'|'remove'|'clear'} action
 * @property {string} kind of the exhibit
 * @property {string} outcome what happened: a name that verdict.mjs knows
 * @property {{place: number, was: number, now: number, owners: string[],
 *   how?: string, values?: object}[]} places in the order they are made
 * @property {object[]} hashes
 * @property {number} table that the places are of
 * @property {number} copies of the key that were really added, now
 * @property {number} number of the key among all that were added
 * @property {string[]} forgotten keys that were lost by this action
 * @property {object} [sealed] slots and fingerprint
 * @property {object} [unit] of a set of fingerprints: its slots, and the slot
 */

/* Slots move when one is added; those that are more than before are new. */
function withNew(before, after) {
    const left = before.map(({was}) => was);
    return after.map(at => {
        const i = left.indexOf(at.now);
        if (i < 0) return {...at, was: 0};
        left.splice(i, 1);
        return at;
    });
}

export class Demo {
    #library;
    #nextWord = 1;

    /**
     * @param {import('./exhibit.mjs').Shape} shape
     * @param {string[]} kinds the first is the one that is shown large
     */
    constructor(library, shape, kinds) {
        this.#library = library;
        this.ledger = new Ledger();
        this.exhibits = new Map(kinds.map(kind =>
            [kind, new Exhibit(library, kind, shape)]));
        this.main = this.exhibits.get(kinds[0]);
    }

    free() {
        for (const exhibit of this.exhibits.values()) exhibit.free();
    }

    /** Shows another kind large. */
    choose(kind) {
        this.main = this.exhibits.get(kind);
        this.ledger.forgetPlaces();
    }

    /** Empties all sets. */
    clear() {
        this.ledger = new Ledger();
        this.#nextWord = 1;
        for (const exhibit of this.exhibits.values()) exhibit.reset();
    }

    seal() {
        this.exhibits.get('sealed')?.seal(this.ledger.keys());
    }

    ask(key) {
        const finding = this.#look(key, 'ask');
        finding.outcome = this.#judge(this.main, key);
        return finding;
    }

    add(key) {
        const finding = this.#look(key, 'add');
        const isNew = this.ledger.copies(key) === 0;
        const before = this.#judge(this.main, key);
        let saidNew;
        for (const exhibit of this.exhibits.values()) {
            const said = exhibit.add(key, isNew);
            if (exhibit === this.main) saidNew = said;
        }
        this.ledger.add(key);
        finding.outcome = this.main.kind === 'sealed' ? 'sealed_shut'
            : saidNew ? (before === 'forgotten' ? 'new_again' : 'new')
            : isNew ? 'dropped' : 'repeat';
        return this.#finish(finding);
    }

    /** Of counters or fingerprints, one copy; other sets cannot. */
    remove(key) {
        const finding = this.#look(key, 'remove');
        const wasThere = this.ledger.copies(key) > 0;
        const known = this.#remembered();
        const taken = this.main.set.remove(key);
        this.ledger.remove(key);
        finding.outcome = !taken ? 'absent' : wasThere ? 'removed' : 'harmed';
        return this.#finish(finding, known);
    }

    /** Of the classic set: what one should not do. */
    clearBits(key) {
        const finding = this.#look(key, 'clear');
        const known = this.#remembered().filter(other => other !== key);
        this.main.clearBits(key);
        this.ledger.remove(key);
        finding.outcome = 'cleared';
        return this.#finish(finding, known);
    }

    /** Adds random words that are not in yet. @returns {string[]} */
    addWords(count) {
        const words = [];
        while (words.length < count) {
            const next = word(this.#nextWord++);
            if (this.ledger.copies(next) === 0) words.push(next);
        }
        this.#addAll(words);
        return words;
    }

    /** Adds keys of a series (ledger.mjs) up to number `end`. */
    addSeries(series, end) {
        const keys = [];
        for (let i = series.count; i < end; i++)
            keys.push(`${series.before}${i}${series.after}`);
        this.main.addMany(batchOf(keys));
        series.count = end;
        this.ledger.setSeries(series);
    }

    #addAll(words) {
        const batch = batchOf(words);
        for (const exhibit of this.exhibits.values()) exhibit.addMany(batch);
        for (const one of words) this.ledger.add(one);
    }

    /**
     * A word that was never added and is called seen. In a set that is too
     * empty for one, words are added until there is one.
     * @returns {{word: string, added: number}} word: "" if none was found
     */
    makeWrong() {
        for (let added = 0;;) {
            const found = this.#findWrong(), {count} = this.ledger;
            if (found !== '' || this.main.kind === 'sealed' ||
                count > MOST_ADDED || this.main.facts().m > MOST_CELLS)
                return {word: found, added};
            added += this.addWords(Math.max(1, Math.ceil(count / 4))).length;
        }
    }

    #findWrong() {
        for (let from = 0; from < MOST_TRIED; from += STRANGERS) {
            const at = this.main.set.hasMany(strangerBatch(from)).indexOf(1);
            if (at >= 0) return stranger(from + at);
        }
        return '';
    }

    /**
     * Who set a place in a table of the large set. In the newest table of a
     * window it was the newest key with this place; of its older tables it is
     * not known.
     */
    owners(place, table, except) {
        const {kind} = this.main, placesOf = key => this.main.placesOf(key);
        const isWindow = kind === 'window';
        if (kind === 'fingerprint')
            return this.ledger.owners(this.main.traceAt(place),
                key => [this.main.traceOf(key)], {except});
        if (kind === 'sealed' ||
            (isWindow && table !== this.main.facts().tables - 1)) return [];
        return this.ledger.owners(place, placesOf, {except,
            isNewest: isWindow, most: isWindow ? 1 : 3});
    }

    /** A kind's answer to a key, and whether it is right. */
    answer(kind, key) {
        return this.#judge(this.exhibits.get(kind), key);
    }

    #judge(exhibit, key) {
        const isIn = this.ledger.copies(key) > 0;
        if (exhibit.has(key)) return isIn ? 'yes' : 'wrong';
        if (!isIn) return 'no';
        if (exhibit.kind === 'sealed') return 'late';
        return exhibit.kind === 'window' ? 'let_go' : 'forgotten';
    }

    #remembered() {
        return this.ledger.keys().filter(key => this.main.has(key));
    }

    /* The table where a key is found, or the newest. */
    #tableOf(places) {
        const {tables} = this.main.facts();
        for (let table = tables - 1; table > 0; table--)
            if (this.main.valuesAt(places, table).every(value => value > 0))
                return table;
        if (this.main.valuesAt(places, 0).every(value => value > 0)) return 0;
        return tables - 1;
    }

    #steps(key) {
        if (this.main.kind === 'sealed') {
            const sealed = this.main.explainSealed(key);
            const hash = hex(this.#library.hash(key));
            return {sealed, hashes: [{name: 'xxh3', value: hash}],
                steps: sealed.slots.map(place => ({place}))};
        }
        if (this.main.kind === 'fingerprint') {
            const unit = this.main.explainUnit(key);
            return {unit, steps: unit.places, hashes: [
                {name: 'xxh3', value: hex(this.#library.hash(key))},
                {name: 'unit', value: unit.unit},
                {name: 'fingerprint', value: fingerprintText(unit.slot)}]};
        }
        return this.main.explain(key) ?? {hashes: [],
            steps: this.main.placesOf(key).map(place => ({place}))};
    }

    #look(key, action) {
        const {steps, hashes, sealed, unit} = this.#steps(key);
        const all = steps.map(step => step.place);
        const table = this.main.kind === 'sealed' ? 0 : this.#tableOf(all);
        const values = this.main.valuesAt(all, table);
        return {key, action, kind: this.main.kind, hashes, sealed, unit, table,
            outcome: '', forgotten: [], copies: this.ledger.copies(key),
            number: this.ledger.number(key),
            places: steps.map((step, i) => ({...step, was: values[i],
                now: values[i], owners: values[i] === 0 ? []
                    : this.owners(step.place, table, key)}))};
    }

    #finish(finding, known = []) {
        const {tables} = this.main.facts();
        const table = finding.action === 'add' && this.main.kind !== 'sealed'
            && finding.outcome !== 'repeat' ? tables - 1 : finding.table;
        const values = this.main.valuesAt(
            finding.places.map(({place}) => place), table);
        finding.places.forEach((at, i) => { at.now = values[i]; });
        if (finding.unit)
            finding.places = withNew(finding.places,
                this.#look(finding.key, finding.action).places);
        finding.forgotten = known.filter(key => this.ledger.copies(key) > 0 &&
            !this.main.has(key));
        finding.copies = this.ledger.copies(finding.key);
        finding.number = this.ledger.number(finding.key);
        finding.table = table;
        return finding;
    }
}
