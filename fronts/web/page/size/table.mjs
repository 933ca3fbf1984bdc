/*
 * table.mjs - all layouts side by side, and the one that is chosen in full.
 *
 * A row is a layout. Its bar is its memory; the line across all bars is the
 * floor, n log2(1/p) bits, under which no structure can be. A layout that
 * cannot do what is asked says why in its row.
 */
import {freshId, h} from '../ui/dom.mjs';
import {LAYOUTS, planBytes, textbookBytes} from './plans.mjs';

const COLUMNS = ['layout', 'memory', 'bits', 'k', 'rate', 'floor'];
const COUNTER_WIDTHS = [2, 3, 4, 5, 6, 8, 12, 16];
const LEAST_CHANCE = 1e-300;

function memoryParts() {
    const text = h('span', {class: 'bytes'});
    const bar = h('span', {class: 'bar'});
    const floor = h('span', {class: 'floor'});
    const track = h('span', {class: 'track', 'aria-hidden': 'true'}, bar,
        floor);
    return {text, bar, floor, track};
}

function makeRow(layout, shell, group, choose) {
    const id = freshId('layout');
    const radio = h('input', {type: 'radio', name: group, value: layout, id,
        onchange: () => choose(layout)});
    const memory = memoryParts();
    const cells = Object.fromEntries(COLUMNS.slice(1).map(name =>
        [name, h('td', {class: name === 'memory' ? null : 'number',
            role: 'cell', 'data-cell': name,
            'data-column': shell.text(`column.${name}`)})]));
    cells.memory.append(memory.text, memory.track);
    const why = h('td', {class: 'note reason', role: 'cell', colspan: 5,
        hidden: true});
    const element = h('tr', {role: 'row', 'data-layout': layout},
        h('th', {scope: 'row', role: 'rowheader'}, h('label', {for: id}, radio,
            h('span', {}, h('b', {}, shell.text(`layout.${layout}.name`)),
                h('span', {class: 'note'},
                    shell.text(`layout.${layout}.for`))))),
        Object.values(cells), why);
    return {layout, element, radio, memory, cells, why};
}

/* 0.01 and, below it, (1 in 100). */
function rateParts(rate, format) {
    const [short, ...rest] = format.rate(rate).split(/(?= \(|（)/);
    return [short, ...rest.map(part => h('span', {class: 'note'}, part))];
}

function showRow(row, result, most, counterBits, shell) {
    const {format, text} = shell;
    const {plan} = result;
    const isPossible = plan !== null;
    for (const cell of Object.values(row.cells)) cell.hidden = !isPossible;
    row.why.hidden = isPossible;
    row.radio.disabled = !isPossible;
    row.why.textContent = isPossible ? '' : text(`error.${result.error}`);
    if (!isPossible) return;
    const width = plan.layout === 'counting' ? counterBits : 1;
    const bits = plan.m * width;
    row.memory.text.textContent = format.bytes(result.bytes);
    row.memory.bar.style.width = `${100 * result.bytes / most}%`;
    row.memory.floor.style.left = `${100 * plan.floorBits / 8 / most}%`;
    row.cells.bits.textContent = format.bitsPerKey(plan.bitsPerKey * width);
    row.cells.k.textContent = format.count(plan.k);
    row.cells.rate.replaceChildren(...rateParts(plan.expectedFpRate, format));
    row.cells.floor.textContent = plan.floorBits >= 1
        ? format.percent(bits / plan.floorBits - 1) : '-';
}

/* ---- the chosen one ---- */

function figure(name, label, value) {
    return h('div', {'data-figure': name}, h('dt', {}, label),
        h('dd', {}, value));
}

function counterFigures(plan, counterBits, shell) {
    const {format, text, library} = shell;
    const full = (1 << counterBits) - 1;
    const chance = library.overflowBound(plan.n, plan.m, plan.k, counterBits);
    return [
        figure('counter', text('figure.counter'),
            text('figure.counter_value', {bits: counterBits, full})),
        figure('overflow', text('figure.overflow'), text(
            'figure.overflow_value', {chance: overflowText(chance, shell)})),
    ];
}

function overflowText(chance, {format, text}) {
    return chance > LEAST_CHANCE ? format.general(chance, 3)
        : text('figure.under', {least: LEAST_CHANCE});
}

function figuresOf(plan, bytes, counterBits, shell) {
    const {format, text} = shell;
    const isCounting = plan.layout === 'counting';
    const cells = isCounting ? 'counters' : 'bits';
    return [
        figure('n', text('figure.n'), format.count(plan.n)),
        figure('p', text('figure.p'), format.rate(plan.p)),
        figure('m', text(`figure.${cells}`), format.count(plan.m)),
        figure('bytes', text('figure.bytes'), format.count(bytes)),
        plan.layout === 'bloom' && plan.p < 1
            ? figure('textbook', text('figure.textbook'),
                format.bytes(textbookBytes(plan))) : null,
        figure('floor', text('figure.floor'), plan.floorBits >= 1
            ? format.bytes(Math.floor(plan.floorBits / 8)) : '-'),
        isCounting ? counterFigures(plan, counterBits, shell) : null,
    ];
}

function widthsTable(plan, shell) {
    const {format, text, library} = shell;
    const head = ['width', 'full', 'all', 'chance'].map(name =>
        h('th', {scope: 'col', class: 'number'}, text(`widths.${name}`)));
    return h('table', {class: 'figures widths'},
        h('caption', {}, text('widths.title')),
        h('thead', {}, h('tr', {}, head)),
        h('tbody', {}, COUNTER_WIDTHS.map(bits => h('tr', {},
            [bits, (1 << bits) - 1, format.bytes(planBytes(plan, bits)),
                overflowText(library.overflowBound(plan.n, plan.m, plan.k,
                    bits), shell)].map(value =>
                h('td', {class: 'number'}, value))))));
}

/* The least whole bits per key that a classic filter keeps the rate with. */
function wholeBits(plan, shell) {
    try {
        const {bitsPerKey, hashCount} = shell.library.wholeBits(plan.p);
        return shell.text('whole_bits', {rate: shell.format.general(plan.p, 4),
            bits: bitsPerKey, k: hashCount});
    } catch {
        return '';
    }
}

/**
 * @param {object} shell
 * @param {(layout: string) => void} choose
 */
export function layoutTable(shell, choose) {
    const group = freshId('layouts');
    const rows = LAYOUTS.map(layout =>
        makeRow(layout, shell, group, choose));
    const figures = h('dl', {class: 'size-figures'});
    const whole = h('p', {class: 'note', 'data-figure': 'whole'});
    const widths = h('div', {class: 'scroll'});
    const details = h('div', {}, figures, whole, widths);
    /* roles: on a phone rows are blocks, which hides from some readers that
     * they are a table */
    const table = h('table', {class: 'figures size-table', role: 'table'},
        h('caption', {class: 'unseen'}, shell.text('table.title')),
        h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'},
            COLUMNS.map((name, i) => h('th', {scope: 'col',
                role: 'columnheader', class: i > 1 ? 'number' : null},
            shell.text(`column.${name}`))))),
        h('tbody', {role: 'rowgroup'}, rows.map(({element}) => element)));
    return {
        element: h('div', {}, table, details),
        /**
         * @param {import('./plans.mjs').Row[]} results
         * @param {string} chosen '' if none can do it
         * @param {number} counterBits
         */
        show(results, chosen, counterBits) {
            const most = Math.max(...results.map(({bytes}) => bytes || 0));
            results.forEach((result, i) => {
                showRow(rows[i], result, most, counterBits, shell);
                rows[i].radio.checked = result.layout === chosen;
                rows[i].element.classList.toggle('is-chosen',
                    result.layout === chosen);
            });
            const row = results.find(({layout}) => layout === chosen);
            details.hidden = row === undefined;
            if (row === undefined) return;
            const {plan, bytes} = row;
            figures.replaceChildren(...figuresOf(plan, bytes, counterBits,
                shell).flat().filter(item => item !== null));
            whole.textContent = wholeBits(plan, shell);
            widths.replaceChildren(...plan.layout === 'counting'
                ? [widthsTable(plan, shell)] : []);
        },
    };
}
