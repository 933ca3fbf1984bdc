/*
 * shape.mjs - the picture of a set, as `seenset info --picture` draws it.
 *
 * The twin of fronts/cli/report/picture.c. A cell of the picture is an equal
 * share of a table, row after row, and its colour shows which part of the share
 * is set: from black over blue and green (half) to yellow and white. The tables
 * are below each other, the oldest first; at the right are all colours.
 */
const MOST_SIDE = 512; /* cells */
const LEAST_PIXELS = 512; /* of a side, about */
const LEAST_PLACES = 512; /* in a cell, so that the noise is small */
const LEAST_SIDE = 16;
const GAP = 4; /* pixels */
const LEGEND = 16;
const CHANNELS = 4;

const STOPS = [[8, 6, 30], [38, 40, 120], [20, 105, 160], [24, 165, 130],
    [150, 205, 60], [252, 225, 70], [255, 252, 225]];

/* The colour of a fill between 0 and 1. */
function colourOf(fill) {
    const last = STOPS.length - 1;
    const at = Math.min(Math.max(fill, 0), 1) * last;
    const below = at < last ? Math.floor(at) : last - 1;
    return STOPS[below].map((low, i) =>
        Math.floor(low + (STOPS[below + 1][i] - low) * (at - below) + 0.5));
}

/* About as many rows as columns, for all tables together. */
function shapeOf(tables) {
    const places = tables.reduce((sum, table) => sum + table.cellCount, 0);
    const least = Math.max(1,
        Math.min(LEAST_SIDE, Math.floor(Math.sqrt(places))));
    const wanted = Math.floor(Math.sqrt(places / LEAST_PLACES));
    const side = Math.min(Math.max(wanted, least), MOST_SIDE);
    const zoom = Math.max(1, Math.round(LEAST_PIXELS / side));
    const rows = tables.map(({cellCount}) =>
        Math.max(1, Math.round(side * (cellCount / places))));
    return {columns: side, zoom, rows,
            width: GAP + side * zoom + GAP + LEGEND + GAP,
            height: rows.reduce((sum, r) => sum + r * zoom + GAP, GAP)};
}

/* floor(places i / count), exactly. */
function shareStart(places, i, count) {
    return Math.floor(places / count) * i +
        Number(BigInt(places % count) * BigInt(i) / BigInt(count));
}

/** Which part of each cell of a table is set. */
function fillsOf(set, table, places, count) {
    const fills = new Float64Array(count);
    for (let i = 0; i < count; i++) {
        const first = shareStart(places, i, count);
        const size = shareStart(places, i + 1, count) - first;
        fills[i] = size > 0 ? set.countCells(table, first, size) / size : 0;
    }
    return fills;
}

/**
 * The shape of a set's picture, and the fills of its cells.
 * @param {object} set
 */
export function fillsOfSet(set) {
    const tables = Array.from({length: set.info().tableCount},
        (_, i) => set.tableInfo(i));
    const shape = shapeOf(tables);
    const fills = tables.map(({cellCount}, i) =>
        fillsOf(set, i, cellCount, shape.rows[i] * shape.columns));
    return {...shape, fills};
}

function fillBox(image, left, top, width, height, fill) {
    const colour = [...colourOf(fill), 255];
    for (let y = top; y < top + height; y++)
        for (let x = left; x < left + width; x++)
            image.data.set(colour, (y * image.width + x) * CHANNELS);
}

/* Full at the top, with a notch at each quarter. */
function drawLegend(image) {
    const height = image.height - 2 * GAP;
    const left = image.width - GAP - LEGEND;
    for (let y = 0; y < height; y++)
        fillBox(image, left, GAP + y, LEGEND, 1, 1 - (y + 0.5) / height);
    for (let quarter = 1; quarter < 4; quarter++) {
        const y = GAP + Math.floor(height * quarter / 4);
        const at = (y * image.width + left) * CHANNELS;
        image.data.fill(0, at, at + LEGEND / 2 * CHANNELS);
    }
}

/**
 * Draws what fillsOfSet found.
 * @param {HTMLCanvasElement} canvas
 * @param {ReturnType<typeof fillsOfSet>} picture
 */
export function draw(canvas, picture) {
    const {columns, zoom, rows, fills, width, height} = picture;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    let top = GAP;
    fills.forEach((cells, table) => {
        cells.forEach((fill, i) => fillBox(image,
            GAP + i % columns * zoom, top + Math.floor(i / columns) * zoom,
            zoom, zoom, fill));
        top += rows[table] * zoom + GAP;
    });
    drawLegend(image);
    context.putImageData(image, 0, 0);
}
