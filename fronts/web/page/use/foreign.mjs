/*
 * foreign.mjs - a file of another system on the screen: what `seenset check`
 * says of it, and its answers. Fetched when such a file comes.
 *
 * The figures and the verdicts are those of the command; only their labels are
 * of this page. What it makes elements with is handed over by use.mjs: a file
 * that it shared with other panels would be one more for each visit to fetch.
 */
let h, freshId, list;

const PAUSE_MS = 150; /* of typing */
const MOST_ROWS = 1000; /* in a table */
const PARQUET = 'parquet';
const BLOCKS = 'bip158';
const TABLES = [PARQUET, 'leveldb'];

/* A cell, row or figure of a filter that was measured. */
const isMeasured = ({sizeBits}) => sizeBits !== undefined;
/* Golomb-coded sets have no bits. */
const hasBits = ({setBits}) => setBits !== undefined;

function percent({setBits, sizeBits}, format) {
    return `${format.fixed(100 * setBits / sizeBits, 2)} %`;
}

function bytesOf({sizeBits}, format) {
    return format.bytes(Math.floor((sizeBits + 7) / 8));
}

function keysOf({estimatedItems}, {text, format}) {
    return estimatedItems !== null && estimatedItems < 2 ** 53
        ? format.count(Math.round(estimatedItems)) : text('unknown');
}

function verdictClass({verdict}) {
    return verdict === 'sound' ? 'is-sound'
        : verdict === 'empty' || verdict === 'too large' ? 'is-odd'
            : 'is-bad';
}

/* The verdict, and its sentence where that is another. */
function verdictOf(filter, {text, format}) {
    const {verdict, because, reasonOffset} = filter;
    const name = text(`verdicts.${verdict.replace(' ', '_')}`);
    const reason = reasonOffset === undefined ? because
        : text('at_byte', {because, offset: format.count(reasonOffset)});
    return h('span', {class: verdictClass(filter)},
        h('strong', {}, name), because === verdict ? '' : `: ${reason}`);
}

/* ---- one filter: a row for each figure ---- */

function* factsOf(filter, {text, format}) {
    if (filter.addedItems > 0)
        yield ['added', format.count(filter.addedItems)];
    if (filter.seed > 0) yield ['seed', String(filter.seed)];
    yield ['scheme', filter.scheme];
    if (isMeasured(filter)) {
        yield ['layout', hasBits(filter) ? text('layout_value',
            {layout: filter.layout, count: filter.hashCount}) : text('golomb')];
        yield ['size', text('size_value', {size: format.count(filter.sizeBits),
            bytes: bytesOf(filter, format)})];
        if (filter.capacityItems > 0)
            yield ['capacity', text('keys_value',
                {count: format.count(filter.capacityItems)})];
        if (filter.fpRate > 0)
            yield ['promised', format.general(filter.fpRate, 4)];
        if (hasBits(filter))
            yield ['bits_set', text('bits_value', {
                count: format.count(filter.setBits),
                part: format.general(100 * filter.setBits / filter.sizeBits,
                    4)})];
        if (hasBits(filter))
            yield ['keys', keysOf(filter, {text, format})];
        yield ['now', format.general(filter.currentFpRate, 4)];
    }
    yield ['verdict', verdictOf(filter, {text, format})];
}

function rows(facts, text) {
    return h('dl', {class: 'info'}, [...facts].map(([name, value]) =>
        h('div', {'data-fact': name}, h('dt', {}, text(name)),
            h('dd', {}, value))));
}

/* ---- many filters: a row for each ---- */

/* What a table shows, column by column: [name, value, is a text]. */
function columnsOf(isParquet, words) {
    const {text, format} = words;
    const measured = value => filter =>
        isMeasured(filter) ? value(filter) : '';
    return [
        [isParquet ? 'row_group' : 'part', ({rowGroup}) => String(rowGroup)],
        isParquet && ['column', ({column}) => column, true],
        ['verdict', filter => verdictOf(filter, {text, format}), true],
        isParquet && ['values', ({valueCount}) => format.count(valueCount)],
        ['filter', measured(filter => bytesOf(filter, format))],
        !isParquet && ['k', measured(({hashCount}) => String(hashCount))],
        ['keys', measured(filter => keysOf(filter, words))],
        ['fill', measured(filter => percent(filter, format))],
        ['now', measured(({currentFpRate}) =>
            format.general(currentFpRate, 3))],
    ].filter(Boolean);
}

function tableOf(filters, isParquet, words) {
    const {text} = words;
    const columns = columnsOf(isParquet, words);
    return h('div', {class: 'scroll', tabindex: 0, role: 'region',
        'aria-label': text('filters')},
    h('table', {class: 'figures filters'},
        h('caption', {class: 'unseen'}, text('filters')),
        h('thead', {}, h('tr', {}, columns.map(([name, , isText]) =>
            h('th', {scope: 'col', class: isText ? 'is-text' : null},
                text(name))))),
        h('tbody', {}, filters.slice(0, MOST_ROWS).map(filter =>
            h('tr', {}, columns.map(([name, value, isText]) =>
                h('td', {'data-column': text(name), class: !isText ? null : name === 'verdict'
                    ? 'is-text is-verdict' : 'is-text'},
                    value(filter))))))));
}

/* "12 filters: 9 sound, 3 too full" */
function sumOf(filters, {text, format}) {
    const counts = new Map();
    for (const {verdict} of filters)
        counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const parts = [...counts].map(([verdict, count]) =>
        `${format.count(count)} ${
            text(`verdicts.${verdict.replace(' ', '_')}`)}`);
    const all = text('sum', {count: format.count(filters.length),
        parts: parts.join(', ')});
    return filters.length <= MOST_ROWS ? all
        : `${all} ${text('first_rows', {count: format.count(MOST_ROWS)})}`;
}

/** The card of a file of another system. */
class ForeignView {
    #words;
    #call;
    #save;
    #announce;
    #problem;
    #found;
    #asked = 0;

    /**
     * @param {import('../app.mjs').Shell} shell
     * @param {(name: string) => string} text of text/LANGUAGE/foreign.json
     * @param {(call: string, given: object) => Promise} call to the worker
     * @param {(blob: Blob, name: string) => void} save
     */
    constructor({format, announce, text: panelText}, text, call, save) {
        this.#words = {text, format};
        this.#problem = why => panelText('problem', {why});
        this.#call = call;
        this.#save = save;
        this.#announce = announce;
        this.root = h('div', {class: 'card foreign', hidden: true});
    }

    #fill(...children) {
        const {text} = this.#words;
        this.root.replaceChildren(h('h2', {tabindex: -1},
            text('title', {name: this.#found.name})),
        ...children.filter(child => child !== null));
        this.root.hidden = false;
    }

    /** @param {object} found what the worker says of the file */
    show(found) {
        const {text} = this.#words;
        this.#found = found;
        if (found.report !== undefined) this.#showDamage(found.report);
        else if (found.check.filters.length === 0) this.#showNone();
        else this.#showFilters();
        this.#announce(text('opened', {name: found.name}));
    }

    #showDamage({offset, fileBytes, reason}) {
        const {text, format} = this.#words;
        this.#fill(h('p', {class: 'wrong', role: 'alert'}, text('damaged', {
            name: this.#found.name, offset: format.count(offset),
            bytes: format.count(fileBytes), reason})));
    }

    #showNone() {
        this.#fill(this.#head(), h('p', {}, this.#words.text('none')));
    }

    /* What the file is. */
    #head() {
        const {text, format} = this.#words;
        const {check: {format: name, fileBytes, rowCount, rowGroups, filters}} =
            this.#found;
        const isParquet = name === PARQUET;
        const facts = [['format', name], ['file', format.bytes(fileBytes)]];
        if (isParquet || rowCount > 0)
            facts.push([isParquet ? 'rows' : 'entries',
                format.count(rowCount)]);
        if (isParquet) facts.push(['row_groups', format.count(rowGroups)]);
        if (this.#isTable) facts.push(['filters',
            format.count(filters.length)]);
        return rows(facts, text);
    }

    get #isTable() {
        const {check: {format, filters}} = this.#found;
        return TABLES.includes(format) || filters.length !== 1;
    }

    #showFilters() {
        const {text} = this.#words;
        const {check: {filters}} = this.#found;
        this.filters = h('div', {class: 'parts'});
        this.asking = h('div', {class: 'asking'});
        if (this.#isTable)
            return this.#showTable();
        const save = h('button', {type: 'button', class: 'quiet',
            onclick: async () => this.#save(
                await this.#call('saveForeign',
                    {file: this.#found.file, number: 0}),
                `${this.#found.name}.seen`)}, text('save'));
        this.#fill(this.#head(), rows(factsOf(filters[0], this.#words), text),
            hasBits(filters[0]) ? h('div', {class: 'buttons'}, save) : null,
            this.asking);
        this.#offerKeys({});
    }

    #showTable() {
        const {text} = this.#words;
        const {info: {columns}} = this.#found;
        const options = columns.map(name => ({value: name, title: name}));
        const chooser = list(text('choose'),
            [{value: '', title: text('all_columns')}, ...options],
            () => this.#showColumn(chooser.value));
        this.#fill(this.#head(), columns.length > 1
            ? h('div', {class: 'fields'}, chooser.root) : null,
        this.filters, this.asking);
        this.#showColumn('');
    }

    /* The filters of a column, or of all; keys are for one. */
    #showColumn(wanted) {
        const {text} = this.#words;
        const {check, info: {columns}} = this.#found;
        const filters = check.filters.filter(({column}) =>
            wanted === '' || column === wanted);
        const column = wanted === '' && columns.length === 1 ? columns[0]
            : wanted;
        this.filters.replaceChildren(
            h('p', {class: 'sum'}, sumOf(filters, this.#words)),
            tableOf(filters, check.format === PARQUET, this.#words));
        if (columns.length > 1 && wanted === '')
            this.asking.replaceChildren(h('p', {class: 'note'},
                text('choose_to_ask')));
        else this.#offerKeys({column});
    }

    // ---- keys ----

    #offerKeys(choice) {
        const {text} = this.#words;
        const {funnels} = this.#found;
        const id = freshId('keys');
        this.answers = h('div', {class: 'scroll'});
        this.said = h('p', {class: 'answered', role: 'status'});
        this.area = h('textarea', {id, rows: 4, spellcheck: 'false',
            autocapitalize: 'off'});
        const asking = () => {
            clearTimeout(this.#asked);
            this.#asked = setTimeout(() => this.#ask({...choice,
                funnel: funnel?.value || undefined,
                block: block?.input.value.trim()}), PAUSE_MS);
        };
        const funnel = funnels.length === 0 ? null : list(text('funnel'),
            [{value: '', title: text('funnel_usual')}, ...funnels.map(
                name => ({value: name, title: text(`funnels.${name}`)}))],
            asking);
        const block = this.#needsBlock ? this.#blockField(asking) : null;
        this.area.addEventListener('input', asking);
        const [first] = this.#found.check.filters.filter(({column}) =>
            column === (choice.column ?? column));
        this.asking.replaceChildren(h('h3', {}, choice.column
            ? text('ask_column', {column: choice.column}) : text('ask')),
        block?.root ?? '', ...(funnel === null ? [] : [h('div',
            {class: 'fields'}, funnel.root)]),
        h('div', {class: 'field'}, h('label', {for: id}, text('ask_label')),
            this.area),
        h('p', {class: 'note'}, first.type === 'bytes' ? text('ask_note')
            : text('ask_type', {type: first.type})),
        this.said, this.answers);
    }

    get #needsBlock() {
        return this.#found.check.format === BLOCKS;
    }

    /* The hash of the block, which is not in the file. */
    #blockField(tell) {
        const {text} = this.#words;
        const id = freshId('block');
        const input = h('input', {type: 'text', id, maxlength: 80,
            spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
            'aria-describedby': `${id}-note`, oninput: tell});
        return {input, root: h('div', {class: 'field'},
            h('label', {for: id}, text('block')), input,
            h('p', {class: 'note', id: `${id}-note`}, text('block_note')))};
    }

    async #ask(choice) {
        const keys = this.area.value.split('\n');
        if (keys.at(-1) === '') keys.pop();
        this.said.classList.remove('wrong');
        if (this.#needsBlock && choice.block === '') {
            this.answers.replaceChildren();
            this.said.textContent = keys.length === 0 ? ''
                : this.#words.text('block_first');
            return;
        }
        try {
            this.#showAnswers(keys, await this.#call('askForeign',
                {file: this.#found.file, keys, choice}));
        } catch (error) {
            this.answers.replaceChildren();
            this.said.textContent = this.#problem(error.message);
            this.said.classList.add('wrong');
        }
    }

    #showAnswers(keys, {answers, groups}) {
        const {text, format} = this.#words;
        const seen = answers.filter(one => one !== 0).length;
        this.said.textContent = keys.length === 0 ? '' : text('answered',
            {count: format.count(keys.length), seen: format.count(seen)});
        const say = i => answers[i] === 0 ? text('never')
            : groups === null ? text('seen')
                : text(this.#found.check.format === PARQUET ? 'in_groups'
                    : 'in_parts', {groups: groups[i].join(', ')});
        this.answers.replaceChildren(...(keys.length === 0 ? [] : [
            h('table', {class: 'figures answers'},
                h('caption', {class: 'unseen'}, text('answers')),
                h('thead', {}, h('tr', {},
                    h('th', {scope: 'col'}, text('key')),
                    h('th', {scope: 'col'}, text('answer')))),
                h('tbody', {}, keys.slice(0, MOST_ROWS).map((key, i) =>
                    h('tr', {class: answers[i] === 0 ? 'is-never' : 'is-seen'},
                        h('td', {}, key), h('td', {}, say(i))))))]));
    }
}

/**
 * @param {{h, freshId, list}} tools of ui/dom.mjs and fields.mjs
 * @param {import('../app.mjs').Shell} shell
 * @param {(call: string, given: object) => Promise} call to the worker
 * @param {(blob: Blob, name: string) => void} save
 */
export async function makeView(tools, shell, call, save) {
    ({h, freshId, list} = tools);
    return new ForeignView(shell, await shell.more('foreign'), call, save);
}
