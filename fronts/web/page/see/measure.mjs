/*
 * measure.mjs - what was measured of the large set, as words were added.
 *
 * After each step the bits are counted, and twenty thousand words that were
 * never added are asked for: the part of them that is called seen is the
 * measured rate.
 */
import {STRANGERS, strangerBatch} from './words.mjs';

/** One more row of what was measured. */
function measure(exhibit, n) {
    const seen = exhibit.measure(strangerBatch());
    const stats = exhibit.set.stats();
    return {n, fill: stats.fill, seen, asked: STRANGERS,
        rate: seen / STRANGERS,
        fromBits: stats.currentFpRate, estimated: stats.estimatedItems,
        expectedWrong: stats.wrongItems,
        isWrongAtLeast: stats.isWrongAtLeast, wrong: exhibit.wrong,
        isSkewed: stats.isSkewed};
}

export class Measured {
    points = [];

    /** The set as it is now. @param {import('./demo.mjs').Demo} demo */
    note({main, ledger}) {
        const point = measure(main, ledger.count);
        if (this.points.at(-1)?.n === point.n) this.points.pop();
        this.points.push(point);
    }

    /** Another set is shown. */
    restart() {
        this.points = [];
    }
}

/** As many digits as twenty thousand questions have. */
export const percentOf = (format, part) => Number.isFinite(part)
    ? part > 0 && part < 0.001 ? `${format.general(100 * part, 3)} %`
        : format.percent(part, 2)
    : '–';
