/*
 * grid.mjs - the cells of a set, drawn.
 *
 *     0  # . . # . . . #      . 0    # 1    rings: the places of the key
 *     8  . . # . . . . .      counters and slots have their values written in
 *
 * Sets of up to some twenty thousand cells are drawn cell by cell; of larger
 * ones a square is a run of bits, darker the more of them are set. Each table
 * of a set, and each block of a table, begins a row of its own. The picture is
 * one image to a screen reader, with a label that says what is to be seen.
 */
import {fingerprintText, LINE_SLOTS} from './fingerprint.mjs';

const GUTTER = 44;
const GAP = 8;
const NARROW_GAP = 3; /* where cells are small */
const LEAST_CELL = 2;
const WIDEST_CELL = 34;
const MOST_CELLS = 20000;
const SQUARES = 2048;

/* Column counts that are tried; a row of a block is whole words of it. */
function columnChoices(block) {
    if (block > 0)
        return [14, 28, 32, 56, 64, 128].filter(c => block % c === 0);
    const choices = [8, 10, 16, 20, 25, 32, 50, 64];
    for (let c = 96; c <= 512; c += 32) choices.push(c);
    return choices;
}

/* With this gap between sections: the largest cells that keep within the
 * height, or nearly so where that leaves no row unfinished. */
function arrangeWith(gap, sections, width, height, block) {
    const free = height - (sections.length - 1) * gap;
    const tried = columnChoices(block).filter(c => c * LEAST_CELL <= width)
        .map(columns => {
            const rows = sections.reduce((sum, count) =>
                sum + Math.ceil(count / columns), 0);
            return {columns, gap, isWhole: sections[0] % columns === 0,
                cell: Math.min(WIDEST_CELL, Math.floor(width / columns),
                    free / rows)};
        });
    const most = Math.max(...tried.map(({cell}) => cell));
    const good = tried.filter(({cell}) => cell >= 0.8 * most);
    const whole = good.filter(({isWhole}) => isWhole);
    const best = (whole.length > 0 ? whole : good).reduce((one, next) =>
        next.cell > one.cell ? next : one);
    return {...best, cell: Math.max(LEAST_CELL, Math.floor(best.cell))};
}

/**
 * Where cells go.
 * @param {number[]} counts cells of each table
 * @param {number} width @param {number} height pixels
 * @param {number} block cells that begin a row of their own; 0: none
 */
export function arrange(counts, width, height, block = 0) {
    const sections = counts.flatMap(count => block > 0
        ? Array(Math.ceil(count / block)).fill(block) : [count]);
    const roomy = arrangeWith(GAP, sections, width, height, block);
    return roomy.cell > 4 ? roomy
        : arrangeWith(NARROW_GAP, sections, width, height, block);
}

/**
 * The squares of a picture: cells themselves, or runs of them.
 * @param {import('./exhibit.mjs').Exhibit} exhibit
 * @param {number} most cells that are drawn one by one
 */
export function squaresOf(exhibit, most = MOST_CELLS) {
    const {cells, tables} = exhibit.facts();
    const each = make => Array.from({length: tables}, (_, i) => make(i));
    if (cells * tables <= most)
        return {run: 1, tables: each(table => exhibit.cells(table))};
    const run = Math.ceil(cells * tables / SQUARES);
    const part = (table, i) => {
        const count = Math.min(run, cells - i * run);
        return exhibit.set.countCells(table, i * run, count) / count;
    };
    return {run, tables: each(table => Float64Array.from(
        {length: Math.ceil(cells / run)}, (_, i) => part(table, i)))};
}

export class Grid {
    #canvas;
    #settings;
    #shown = null;
    #plan = null;

    /**
     * @param {HTMLCanvasElement} canvas
     * @param {{height: number, gutter?: boolean}} settings
     * @param {(table: number, place: number) => void} [tell] what was clicked
     */
    constructor(canvas, settings, tell) {
        this.#canvas = canvas;
        this.#settings = settings;
        new ResizeObserver(() => this.#draw()).observe(canvas.parentElement);
        matchMedia('(prefers-color-scheme: dark)')
            .addEventListener('change', () => this.#draw());
        new MutationObserver(() => this.#draw())
            .observe(document.documentElement, {attributeFilter:
                ['data-theme']});
        if (tell) canvas.addEventListener('click', event => {
            const at = this.#find(event.offsetX, event.offsetY);
            if (at) tell(at.table, at.place);
        });
    }

    /**
     * @param {object} shown
     * @param {{run: number, tables: ArrayLike<number>[]}} shown.squares
     * @param {string} shown.kind
     * @param {number} shown.most the largest value of a cell
     * @param {number} shown.table that the marks are in
     * @param {Map<number, 'old'|'new'|'free'>} shown.marks by place
     * @param {{table: number, place: number}} [shown.cursor] to point at
     */
    show(shown) {
        this.#shown = shown;
        this.#draw();
    }

    get #block() {
        return this.#shown.squares.run > 1 ? 0
            : {blocked: 512, split_block: 256,
                fingerprint: LINE_SLOTS}[this.#shown.kind] ?? 0;
    }

    #draw() {
        const shown = this.#shown, canvas = this.#canvas;
        const width = canvas.parentElement.clientWidth;
        if (!shown || width === 0) return;
        const gutter = this.#settings.gutter ? GUTTER : 0;
        const plan = arrange(shown.squares.tables.map(t => t.length),
            width - gutter, this.#settings.height, this.#block);
        this.#plan = {...plan, gutter, rows: this.#rows(plan)};
        const height = this.#plan.rows.at(-1).y + plan.cell;
        const scale = devicePixelRatio || 1;
        canvas.style.height = `${height}px`;
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
        const pen = canvas.getContext('2d');
        pen.scale(scale, scale);
        this.#paint(pen);
    }

    /* All rows, each with its table and the first place in it. */
    #rows({columns, cell, gap}) {
        const rows = [];
        this.#shown.squares.tables.forEach((cells, table) => {
            const block = this.#block || cells.length;
            for (let first = 0; first < cells.length; first += columns)
                rows.push({table, first, startsBlock: first % block === 0 &&
                    rows.length > 0, count: Math.min(columns,
                    cells.length - first)});
        });
        let y = 0;
        for (const row of rows) {
            if (row.startsBlock) y += gap;
            row.y = y;
            y += cell;
        }
        return rows;
    }

    #find(x, y) {
        const {rows, cell, gutter} = this.#plan ?? {rows: []};
        const row = rows.find(r => y >= r.y && y < r.y + cell);
        const column = Math.floor((x - gutter) / cell);
        if (!row || column < 0 || column >= row.count) return null;
        return {table: row.table,
            place: (row.first + column) * this.#shown.squares.run};
    }

    #colours() {
        const style = getComputedStyle(this.#canvas);
        const name = key => style.getPropertyValue(`--${key}`).trim();
        return {zero: name('sunk'), one: name('ink'), soft: name('soft'),
            accent: name('accent'), paper: name('card'), bad: name('bad'),
            accentInk: name('accent-ink')};
    }

    #paint(pen) {
        const colours = this.#colours(), {rows, cell, gutter} = this.#plan;
        const {tables} = this.#shown.squares;
        pen.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
        rows.forEach((row, i) => {
            if (gutter > 0) this.#number(pen, row, i, colours);
            for (let c = 0; c < row.count; c++) {
                const value = tables[row.table][row.first + c];
                const x = gutter + c * cell;
                this.#cell(pen, x, row.y, value, colours);
                this.#mark(pen, x, row, row.first + c, value, colours);
            }
        });
    }

    /* The number of the first place of a row, where there is room for it. */
    #number(pen, row, i, colours) {
        const {cell} = this.#plan;
        const every = Math.max(1, Math.ceil(15 / cell));
        if (i % every !== 0 && !row.startsBlock) return;
        pen.fillStyle = colours.soft;
        pen.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
        pen.textAlign = 'right';
        pen.textBaseline = 'middle';
        pen.fillText(short(row.first * this.#shown.squares.run), GUTTER - 8,
            row.y + Math.max(cell, 10) / 2);
    }

    #cell(pen, x, y, value, colours) {
        const {cell} = this.#plan, {most} = this.#shown;
        const space = cell >= 8 ? 1.5 : cell >= 4 ? 0.5 : 0;
        const side = cell - 2 * space, round = Math.min(3, cell / 6);
        box(pen, x + space, y + space, side, round);
        pen.fillStyle = colours.zero;
        pen.fill();
        if (value === 0) return;
        pen.globalAlpha = this.#depth(value);
        pen.fillStyle = colours.one;
        pen.fill();
        pen.globalAlpha = 1;
        if (most > 1 && cell >= 14) this.#value(pen, x, y, value, colours);
    }

    /* How dark a cell is that is not 0: counters by their value, runs by how
     * many of their bits are set. */
    #depth(value) {
        const {kind, squares} = this.#shown;
        if (squares.run > 1) return 0.3 + 0.6 * value;
        return kind === 'counting' ? Math.min(0.9, 0.2 + 0.2 * value) : 0.82;
    }

    /* A counter in decimal, a slot and a fingerprint in hexadecimal. */
    #value(pen, x, y, value, colours) {
        const {cell} = this.#plan, {kind} = this.#shown;
        const text = kind === 'sealed'
            ? value.toString(16).toUpperCase().padStart(2, '0')
            : kind === 'fingerprint' ? fingerprintText(value) : String(value);
        pen.fillStyle = this.#depth(value) > 0.55 ? colours.paper : colours.one;
        pen.font = `600 ${Math.min(13, cell * 0.5)}px ui-monospace, ` +
            '"DejaVu Sans Mono", monospace';
        pen.textAlign = 'center';
        pen.textBaseline = 'middle';
        pen.fillText(text, x + cell / 2, y + cell / 2 + 0.5);
    }

    /* A light ring within, so that the mark is seen among full cells. */
    #halo(pen, x, y, width, colours) {
        const {cell} = this.#plan;
        if (cell < 8) return;
        pen.strokeStyle = colours.paper;
        pen.lineWidth = width;
        box(pen, x + 1 + width, y + 1 + width, cell - 2 - 2 * width, 1);
        pen.stroke();
        box(pen, x + 1, y + 1, cell - 2, Math.min(4, cell / 5));
    }

    /* New bits are filled, those that were set have a ring, free ones a
     * broken ring. */
    #mark(pen, x, row, square, value, colours) {
        const {cell} = this.#plan, {marks, table, cursor} = this.#shown;
        const {run} = this.#shown.squares;
        const isHere = row.table === table;
        const mark = isHere ? markOf(marks, square, run) : undefined;
        if (mark) {
            box(pen, x + 1, row.y + 1, cell - 2, Math.min(4, cell / 5));
            if (mark === 'new') {
                pen.fillStyle = colours.accent;
                pen.fill();
                if (this.#shown.most > 1 && cell >= 14 && value > 0)
                    this.#value(pen, x, row.y, value,
                        {...colours, paper: colours.accentInk,
                            one: colours.accentInk});
            }
            const width = Math.min(4, Math.max(2, cell / 6));
            if (mark === 'old') this.#halo(pen, x, row.y, width, colours);
            pen.setLineDash(mark === 'free' ? [3, 2] : []);
            pen.strokeStyle = colours.accent;
            pen.lineWidth = width;
            pen.stroke();
            pen.setLineDash([]);
        }
        if (cursor?.table === row.table &&
            Math.floor(cursor.place / run) === square) {
            pen.strokeStyle = colours.one;
            pen.lineWidth = 2;
            pen.strokeRect(x - 1, row.y - 1, cell + 2, cell + 2);
        }
    }
}

function markOf(marks, square, run) {
    if (run === 1) return marks.get(square);
    let found;
    for (const [place, mark] of marks)
        if (Math.floor(place / run) === square) found = mark;
    return found;
}

function box(pen, x, y, side, round) {
    pen.beginPath();
    if (side < 6) pen.rect(x, y, side, side);
    else pen.roundRect(x, y, side, side, round);
}

/* 4096, 98k, 9.5M: at most four signs. */
function short(value) {
    if (value < 10000) return String(value);
    if (value < 1e6) return `${Math.floor(value / 1000)}k`;
    return `${(value / 1e6).toFixed(1)}M`;
}
