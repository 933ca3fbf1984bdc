/*
 * size.mjs - the panel "Size it": how large must a set be?
 *
 * Some of n, p, m and k are given, and the library finds the others for each
 * layout, by the same calls as `seenset plan`. One state, which is also in the
 * address, makes everything that is shown:
 *
 *     n p m k   as they are written; empty: to be found
 *     layout    the one that is chosen
 *     bits      of a counter
 *     full      what a set does when it is full; empty: what it does by itself
 *     window    how long keys are remembered; empty: by number
 *     tables    of a window
 *     as        the tab of the lines to copy
 */
import {copyButton} from '../ui/copy.mjs';
import {freshId, h} from '../ui/dom.mjs';
import {parsers} from '../ui/parse.mjs';
import {tabs} from '../ui/tabs.mjs';
import {fields} from './fields.mjs';
import {whenFull} from './full.mjs';
import {linesFor, redisGrows, ROW_GROUP_ROWS} from './lines.mjs';
import {DEFAULT_COUNTER_BITS, DEFAULT_TABLES, duckdbBytes, madeOf, planAll,
    planBytes, policiesOf, redisBytes, withDefaults} from './plans.mjs';
import {memoryByRate} from './rates.mjs';
import {layoutTable} from './table.mjs';

const START = {n: '1M', p: '1%'};
const EXAMPLES = [
    {name: 'million', state: {n: '1M', p: '1%'}},
    {name: 'billion', state: {n: '1G', p: '1%', m: '18MB'}},
    {name: 'crawl', state: {n: '100M', p: '1e-9'}},
    {name: 'fixed', state: {m: '64MiB', p: '1/1000'}},
    {name: 'counting', state: {n: '100k', p: '0.1%', layout: 'counting'}},
];
const LINES = ['command', 'c', 'python', 'javascript', 'redis', 'duckdb'];

/* ---- parts ---- */

function counterField(shell, changed) {
    const id = freshId('counter-bits');
    const select = h('select', {id, name: 'bits', onchange: changed},
        Array.from({length: 15}, (_, i) =>
            h('option', {value: i + 2}, i + 2)));
    return {
        element: h('div', {class: 'field size-counter', hidden: true},
            h('label', {for: id}, shell.text('counter_bits')), select),
        select,
    };
}

function examples(shell, choose) {
    return h('div', {class: 'size-examples'},
        h('span', {class: 'note'}, shell.text('examples.title')),
        EXAMPLES.map(({name, state}) => h('button', {type: 'button',
            class: 'quiet', 'data-example': name,
            onclick: () => choose(state)}, shell.text(`examples.${name}`))));
}

function linesCard(shell, tell) {
    const {text} = shell;
    const words = {copy: text('lines.copy'), copied: text('lines.copied'),
        not_copied: text('lines.not_copied')};
    const pages = LINES.map(name => {
        const title = text(`lines.${name}.title`);
        const code = h('code', {'data-lines': name});
        const note = h('p', {class: 'note', 'data-note': name});
        const button = copyButton(code, {...words,
            what: text('lines.copy_what', {what: title})}, shell.announce);
        return {name, title, code, note, body: h('div', {class: 'size-lines'},
            button, h('pre', {class: 'code', tabindex: '0'}, code), note)};
    });
    const tabbed = tabs(text('lines.title'), pages, tell);
    return {
        element: h('section', {class: 'card'},
            h('h2', {}, text('lines.title')), tabbed.list,
            pages.map(({body}) => body)),
        select: tabbed.select,
        show(choice) {
            const all = linesFor(choice);
            const notes = notesOf(choice, shell);
            for (const {name, code, note} of pages) {
                code.textContent = all[name];
                note.textContent = notes[name] ?? '';
            }
        },
    };
}

/* What the lines cost or lack. */
function notesOf(choice, {text, format}) {
    const {plan, layout, policy} = choice;
    const grows = redisGrows(choice);
    const rows = Math.min(plan.n, ROW_GROUP_ROWS);
    const possible = plan.p < 1;
    return {
        command: text(`lines.command.${layout === 'sealed' ? 'seal'
            : 'note'}`),
        c: text('lines.c.note'),
        python: text('lines.python.note'),
        javascript: text('lines.javascript.note'),
        redis: possible ? [text('lines.redis.note', {memory:
            format.bytes(redisBytes(plan.n, plan.p, grows))}),
        text(grows ? 'lines.redis.grows' : 'lines.redis.refuses'),
        policy === 'rotate' ? text('lines.redis.no_window') : ''].join(' ')
            : '',
        duckdb: possible ? text('lines.duckdb.note', {memory:
            format.bytes(duckdbBytes(rows, plan.p)),
        rows: format.count(rows)}) : '',
    };
}

/* ---- the answer in words ---- */

/* Those of one table, which is what the floor is below. */
const ONE_TABLE = {words: true, sealed: true, fingerprint: true};

function answerCard(shell) {
    const figure = h('p', {class: 'size-answer', 'data-figure': 'answer'});
    const words = h('p', {class: 'size-answer-words'});
    return {
        element: h('div', {}, figure, words),
        /** @param made what the lines to copy make (plans.mjs, madeOf) */
        show({plan, bytes}, made, {window}) {
            const {format, text} = shell;
            figure.textContent = format.bytes(made.bytes);
            const floor = plan.floorBits >= 1
                ? format.bytes(Math.floor(plan.floorBits / 8)) : '-';
            const answer = text(`answer.${made.how}`, {
                layout: text(`layout.${plan.layout}.name`),
                n: format.words(plan.n), k: plan.k,
                rate: format.rate(made.rate), p: format.general(plan.p, 4),
                one: format.bytes(bytes), tables: window.tables, floor});
            /* at a rate of 1 no bit is needed */
            words.textContent = floor === '-' || ONE_TABLE[made.how] !== true
                ? answer : text('answer.floor', {answer, floor});
        },
    };
}

/* What was found, for the fields that are empty. */
function foundTexts(plan, format) {
    return {n: format.count(plan.n), p: format.general(plan.p, 4),
        m: `${plan.m}b`, k: String(plan.k)};
}

/* Over that, `seenset new` refuses keys and a size that were given. */
const MOST_RATE = 0.1;
const USUAL_RATE = 0.01;

/* Of keys and a size that go together at no rate that is of use: what they come
 * to, and what would do; else ''. */
function warning({n, p, m}, results, found, shell) {
    const {text, format} = shell;
    const rate = found?.row.plan.expectedFpRate;
    if (n === undefined || p !== undefined || m === undefined ||
        !(rate > MOST_RATE)) return '';
    return text('useless', {rate: format.rate(rate),
        instead: reason({n, p: USUAL_RATE, m}, results, shell)});
}

/* Why no layout can do it; and, of too many keys for a size, what could be. */
function reason(given, results, {text, format, library}) {
    const why = results[0].error === '' ? ''
        : text(`error.${results[0].error}`);
    const {n, p, m} = given;
    if (n === undefined || p === undefined || m === undefined) return why;
    try {
        const layout = 'bloom';
        const enough = library.plan({layout, n, p});
        const most = library.plan({layout, m, p});
        return text('instead', {n: format.words(n), p: format.rate(p),
            m: format.bytes(Math.ceil(m / 8)),
            memory: format.bytes(planBytes(enough, 1)),
            floor: format.bytes(Math.floor(enough.floorBits / 8)),
            most: format.words(most.n)});
    } catch {
        return why;
    }
}

/* Does the last of what it is given, once the browser has painted. */
function deferred() {
    let next = null;
    return work => {
        if (next === null)
            requestAnimationFrame(() => setTimeout(() => {
                const last = next;
                next = null;
                last();
            }));
        next = work;
    };
}

/* ---- the state ---- */

function choiceOf(state, parts, results) {
    const {written, given} = parts.read;
    const isPossible = results.some(({plan}) => plan !== null);
    if (!isPossible) return null;
    const wanted = results.find(({layout, plan}) =>
        layout === state.layout && plan !== null);
    const row = wanted ?? results.find(({plan}) => plan !== null);
    const possible = policiesOf(row.layout, parts.asked);
    const policy = possible.includes(state.full) ? state.full
        : possible[0] ?? '';
    return {row, possible, choice: {layout: row.layout, policy, written,
        isUsual: policy === (possible[0] ?? ''), given, plan: row.plan,
        counterBits: state.counterBits, window: parts.window}};
}

/**
 * @param {HTMLElement} root
 * @param {import('../app.mjs').Shell} page
 */
export function mount(root, page) {
    const shell = {...page, parse: parsers(page.common)};
    const {text, url, library, announce} = shell;
    let state = {};
    const later = deferred();
    const changed = () => update();
    const input = fields(shell, changed);
    const counter = counterField(shell, changed);
    const answer = answerCard(shell);
    const table = layoutTable(shell, layout => {
        state.layout = layout;
        update();
    });
    const impossible = h('p', {class: 'wrong', role: 'alert', hidden: true});
    const full = whenFull(shell, changed, policy => {
        state.full = policy;
        update();
    });
    const rates = memoryByRate(shell);
    const lines = linesCard(shell, name => {
        state.as = name;
        keep();
    });
    const stale = h('p', {class: 'wrong', hidden: true}, text('stale'));
    const results = h('div', {}, stale, impossible, answer.element, table.element);

    root.append(
        h('h1', {}, text('title')),
        h('p', {class: 'lead'}, text('lead')),
        h('div', {class: 'size-top'},
            h('section', {class: 'card size-given'},
                h('h2', {}, text('given.title')),
                h('p', {class: 'note'}, text('given.lead')),
                input.element, counter.element,
                examples(shell, example => load(example))),
            h('section', {class: 'card'},
                h('h2', {class: 'unseen'}, text('answer.title')), results)),
        full.element, rates.element, lines.element);

    function keep() {
        const {n, p, m, k} = input.read().written;
        const window = full.window();
        const isWindow = state.shown === 'rotate';
        url.set({n, p, m, k, layout: state.layout,
            bits: state.layout === 'counting' ? counter.select.value : '',
            full: state.isUsual ? '' : state.full,
            window: isWindow ? window.text : '',
            tables: isWindow && window.tables !== DEFAULT_TABLES
                ? String(window.tables) : '',
            as: state.as === LINES[0] ? '' : state.as});
    }

    function update() {
        const read = input.read();
        stale.hidden = read.isGood;
        root.classList.toggle('is-stale', !read.isGood);
        if (read.isGood) solve(read);
        keep();
    }

    function solve(read) {
        const asked = read.given;
        const given = withDefaults(asked);
        const counterBits = Number(counter.select.value);
        const all = planAll(library, given, counterBits);
        const found = choiceOf({...state, counterBits},
            {read: {...read, given}, asked, window: full.window()}, all);
        const why = found === null ? reason(given, all, shell)
            : warning(asked, all, found, shell);
        impossible.hidden = why === '';
        impossible.textContent = why;
        for (const part of [answer, full, rates, lines])
            part.element.hidden = found === null ||
                (part === lines && why !== '');
        if (found === null) table.show(all, '', counterBits);
        else show(found, all, counterBits);
    }

    function show({row, choice, possible}, all, counterBits) {
        state.shown = choice.policy;
        state.isUsual = choice.isUsual;
        counter.element.hidden = row.layout !== 'counting';
        input.showFound(foundTexts(row.plan, shell.format));
        const made = madeOf(library, choice, row.bytes);
        answer.show(row, made, choice);
        table.show(all, row.layout, counterBits);
        full.show(choice, possible);
        lines.show(choice);
        later(() => {
            full.draw(all);
            rates.show(row.plan, counterBits);
        });
        announce(text('announce', {memory: shell.format.bytes(made.bytes),
            layout: text(`layout.${row.layout}.name`)}));
    }

    function load(texts) {
        input.write(texts);
        full.write(texts);
        const hasBits = [...counter.select.options].some(({value}) =>
            value === texts.bits);
        counter.select.value = hasBits ? texts.bits
            : String(DEFAULT_COUNTER_BITS);
        state = {layout: texts.layout ?? '', full: texts.full ?? '',
            as: LINES.includes(texts.as) ? texts.as : LINES[0]};
        lines.select(state.as);
        update();
    }

    const first = url.get();
    load(Object.keys(first).length === 0 ? START : first);
    url.onChange(load);
}
