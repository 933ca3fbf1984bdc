/*
 * full.mjs - what happens when there are more keys than planned.
 *
 * A set grows, forgets, refuses or degrades; the reader chooses, and sees what
 * that costs. The curve is that of `seenset plan --plot`: the rate from no keys
 * to twice the plan, of tables that degrade; and, where it can, of a set that
 * grows, which keeps its rate.
 */
import {curve} from '../ui/curve.mjs';
import {freshId, h} from '../ui/dom.mjs';
import {fold} from './fold.mjs';
import {COLOURS, grownRate, growth, rateAt, windowOf} from './plans.mjs';

const POINTS = 120;
const POLICIES = ['grow', 'rotate', 'refuse', 'degrade'];

/* ---- the choice ---- */

function policyChoice(shell, choose) {
    const group = freshId('policy');
    const inputs = POLICIES.map(policy => h('input', {type: 'radio',
        name: group, value: policy, onchange: () => choose(policy)}));
    const element = h('fieldset', {class: 'choice size-policy'},
        h('legend', {class: 'unseen'}, shell.text('full.choice')),
        inputs.map((input, i) => h('label', {}, input,
            h('span', {}, shell.text(`policy.${POLICIES[i]}.name`)))));
    return {
        element,
        show(possible, chosen) {
            for (const input of inputs) {
                input.disabled = !possible.includes(input.value);
                input.checked = input.value === chosen;
                input.parentElement.hidden = input.disabled;
            }
        },
    };
}

/** The window's own fields: for a time, and in how many tables. */
function windowFields(shell, changed) {
    const [timeId, tablesId] = [freshId('time'), freshId('tables')];
    const why = h('span', {class: 'why wrong', id: `${timeId}-why`});
    const time = h('input', {type: 'text', id: timeId, name: 'window',
        autocomplete: 'off', spellcheck: 'false', oninput: changed,
        placeholder: shell.text('window.none'),
        'aria-describedby': `${timeId}-why`});
    const tables = h('input', {type: 'number', id: tablesId, name: 'tables',
        min: 2, max: 64, oninput: changed});
    return {
        element: h('div', {class: 'size-window'},
            h('div', {class: 'field'},
                h('label', {for: timeId}, shell.text('window.time')), time,
                why),
            h('div', {class: 'field'},
                h('label', {for: tablesId}, shell.text('window.tables')),
                tables)),
        read() {
            const out = {text: time.value.trim(), seconds: 0,
                tables: Math.round(Number(tables.value))};
            if (!(out.tables >= 2 && out.tables <= 64)) out.tables = 5;
            const read = out.text === '' ? {} : shell.parse.window(out.text);
            const isTime = read.unit === 'seconds';
            const wrong = read.error ??
                (out.text !== '' && !isTime ? shell.text('window.not_time')
                    : '');
            why.textContent = wrong;
            time.setAttribute('aria-invalid', String(wrong !== ''));
            return isTime ? {...out, seconds: read.value}
                : {...out, text: ''};
        },
        hasMistake: () => why.textContent !== '',
        write(texts) {
            time.value = texts.window ?? '';
            tables.value = texts.tables ?? '5';
        },
    };
}

/* ---- what it costs ---- */

/* A table that a narrow screen scrolls. */
function scrolled(scope, names, rows, {text}) {
    const title = text(`${scope}.title`);
    return h('div', {class: 'scroll', tabindex: '0', role: 'region',
        'aria-label': title},
    h('table', {class: 'figures'},
        h('caption', {class: 'unseen'}, title),
        h('thead', {}, h('tr', {}, names.map(name => h('th',
            {scope: 'col', class: 'number'}, text(`${scope}.${name}`))))),
        h('tbody', {}, rows)));
}

function growthTable(steps, shell) {
    const {format} = shell;
    const names = ['items', 'tables', 'memory', 'bits'];
    const row = ({items, tables, bytes, bits}, i) => h('tr', {'data-step': i}, [
        format.words(items), tables, format.bytes(bytes),
        format.bitsPerKey(bits)]
        .map(value => h('td', {class: 'number'}, value)));
    return scrolled('growth', names, steps.map(row), shell);
}

function growWords({plan}, steps, shell) {
    const {format, text} = shell;
    return [h('p', {}, text('policy.grow.what', {
        first: format.bytes(steps[0].bytes), n: format.words(plan.n)})),
    growthTable(steps, shell), h('p', {class: 'note'}, text('growth.note'))];
}

function windowWords({plan, window}, shell) {
    const {format, text, library} = shell;
    const found = windowOf(library, plan.layout, plan.n, plan.p,
        window.tables);
    if (found === null) return [h('p', {}, text('error.SEENSET_ERATE'))];
    const values = {n: format.words(plan.n), steps: found.steps,
        tables: window.tables, each: format.words(found.plan.n),
        memory: format.bytes(found.bytes),
        rate: format.general(found.plan.p, 4),
        time: format.seconds(window.seconds), most: format.seconds(
            Math.ceil(window.seconds * window.tables / found.steps))};
    const name = window.seconds > 0 ? 'policy.rotate.by_age'
        : 'policy.rotate.by_number';
    return [h('p', {}, text(name, values)),
        h('p', {'data-figure': 'window'}, text('policy.rotate.costs', values))];
}

/* At some multiples of n: the rate, and the new keys dropped by then. */
function pastTable({plan}, shell) {
    const {format, text, library} = shell;
    const rows = [0.5, 1, 1.5, 2, 4, 10].map(times => {
        const items = Math.round(plan.n * times);
        const wrong = library.wrongItems(plan.layout, items, plan.m, plan.k);
        return h('tr', {'data-times': times}, [
            text('past.times', {times}), format.words(items),
            format.general(rateAt(library, plan, items), 4),
            Number.isFinite(wrong) ? format.general(wrong, 3)
                : text('past.unknown')].map(value => h('td', {class: 'number'}, value)));
    });
    return scrolled('past', ['plan', 'items', 'rate', 'wrong'], rows, shell);
}

function wordsOf(choice, steps, shell) {
    switch (choice.policy) {
    case 'grow': return steps.length > 0 ? growWords(choice, steps, shell) : [];
    case 'rotate': return windowWords(choice, shell);
    case 'refuse': return [h('p', {}, shell.text('policy.refuse.what', {
        n: shell.format.words(choice.plan.n),
        rate: shell.format.rate(choice.plan.p)}))];
    case 'degrade': return [h('p', {}, shell.text('policy.degrade.what')),
        pastTable(choice, shell)];
    default: return [h('p', {}, shell.text('policy.sealed'))];
    }
}

/* ---- the curve ---- */

/* Whole powers of ten around the promise and the highest rate. */
function powers(rates, promised) {
    const seen = rates.filter(rate => rate > 0);
    const low = Math.max(Math.floor(Math.log10(promised)) - 2, -24);
    const high = Math.min(Math.ceil(Math.log10(Math.max(...seen, promised))),
        0);
    return {low, high: Math.max(high, low + 1)};
}

function powerTicks(low, high) {
    const step = Math.ceil((high - low) / 8);
    const ticks = [];
    for (let power = high; power >= low; power -= step)
        ticks.push({at: 10 ** power, text: power === 0 ? '1' : `1e${power}`});
    return ticks;
}

function tableLine(row, xs, shell) {
    const {library, format, text} = shell;
    const at = items => rateAt(library, row.plan, Math.round(items));
    /* counters have the rates of the classic's bits: one line is both */
    const name = row.layout === 'bloom' ? text('full.classic')
        : text(`layout.${row.layout}.name`);
    return {name, colour: COLOURS[row.layout], points: xs.map(x => [x, at(x)]),
        read: x => Number.isNaN(at(x)) ? '' : format.general(at(x), 3)};
}

function grownLine({plan, layout}, xs, shell) {
    const {library, format, text} = shell;
    const at = items => grownRate(library, plan, Math.round(items));
    return {name: text('full.grown', {layout: text(`layout.${layout}.name`)}),
        colour: COLOURS[layout], isDashed: true,
        // each is planned anew, in milliseconds
        points: xs.filter((_, i) => i % 4 === 0).map(x => [x, at(x)]),
        read: x => format.general(at(x), 3)};
}

function pictureOf(results, choice, steps, shell) {
    const {format, text} = shell;
    const {plan} = choice;
    const most = 2 * plan.n;
    const xs = Array.from({length: POINTS + 1}, (_, i) => most * i / POINTS);
    const lines = results.filter(({layout, plan: found}) => found !== null &&
        layout !== 'counting').map(row => tableLine(row, xs, shell));
    if (steps.length > 0)
        lines.push(grownLine(choice, xs, shell));
    const {low, high} = powers(lines.flatMap(line =>
        line.points.map(([, y]) => y)), plan.p);
    const twice = rateAt(shell.library, plan, most);
    return {
        x: {least: 0, most, title: text('full.x'),
            ticks: [0, 0.5, 1, 1.5, 2].map(times => ({at: plan.n * times,
                text: format.words(Math.round(plan.n * times))}))},
        y: {least: 10 ** low, most: 10 ** high, isPowers: true, title: '',
            ticks: powerTicks(low, high)},
        lines,
        marks: [{x: plan.n, text: text('full.planned')},
            {y: plan.p, text: text('full.promised')}],
        summary: Number.isNaN(twice) ? text('full.summary_sealed')
            : text('full.summary', {n: format.words(plan.n),
                rate: format.rate(plan.expectedFpRate),
                twice: format.rate(twice)}),
        readX: x => text('full.at', {n: format.words(Math.round(x))}),
    };
}

/**
 * @param {object} shell
 * @param {() => void} changed called when a field of the window is
 * @param {(policy: string) => void} choose
 */
export function whenFull(shell, changed, choose) {
    const policy = policyChoice(shell, choose);
    const window = windowFields(shell, changed);
    const words = h('div', {class: 'size-policy-words'});
    const picture = curve({name: shell.text('full.curve'),
        hint: shell.text('curve_hint')}, shell.announce);
    const element = fold('size-full', shell.text('full.title'),
        h('p', {class: 'note'}, shell.text('full.lead')),
        policy.element, window.element,
        h('div', {class: 'size-halves'}, words, picture.element));
    let shown = null;
    return {
        element,
        window: window.read,
        write(texts) {
            window.write(texts);
            if (texts.full || texts.window || texts.tables) element.open = true;
        },
        /**
         * @param {import('./lines.mjs').Choice} choice
         * @param {string[]} possible policies
         */
        show(choice, possible) {
            shown = {choice, possible};
            policy.show(possible, choice.policy);
            const isWindow = choice.policy === 'rotate';
            window.element.hidden = !isWindow;
            if (isWindow && window.hasMistake()) element.open = true;
        },
        /** What that costs, in words and as a curve, which takes longer.
         * @param {import('./plans.mjs').Row[]} results */
        draw(results) {
            const {choice, possible} = shown;
            const {plan} = choice;
            const steps = possible.includes('grow') && plan.p < 1
                ? growth(shell.library, plan.layout, plan.n, plan.p) : [];
            words.replaceChildren(...wordsOf(choice, steps, shell));
            picture.show(pictureOf(results, choice, steps, shell));
        },
    };
}
