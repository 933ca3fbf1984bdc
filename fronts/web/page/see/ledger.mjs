/*
 * ledger.mjs - what was really added: the table that is always right.
 *
 * A filter forgets which keys it holds. This page writes them down beside it,
 * and so can say of every "seen" whether it is true, and of every bit who set
 * it. Keys of a series (http://www.example.com/0.html, ...) are known by their
 * number and cost nothing, so there may be a million of them.
 */

/** @typedef {{before: string, after: string, count: number}} Series */

export class Ledger {
    #entries = new Map();
    #added = 0;
    #series = null;

    /** How many different keys are in. */
    get count() {
        return this.#entries.size + (this.#series?.count ?? 0);
    }

    /** All keys that were written down one by one, the oldest first. */
    keys() {
        return [...this.#entries.keys()];
    }

    /** How many copies of a key are in; 0: never added, or taken out. */
    copies(key) {
        return this.#entries.get(key)?.copies ?? (this.#inSeries(key) ? 1 : 0);
    }

    /** Its number among all keys that were added, from 1; 0: it was not. */
    number(key) {
        return this.#entries.get(key)?.number ?? 0;
    }

    add(key) {
        const entry = this.#entries.get(key);
        if (entry) entry.copies++;
        else this.#entries.set(key, {copies: 1, number: ++this.#added});
    }

    remove(key) {
        const entry = this.#entries.get(key);
        if (entry && --entry.copies === 0) this.#entries.delete(key);
    }

    /** Keys before + number + after, for all numbers from 0 to count - 1. */
    setSeries(series) {
        this.#series = series;
    }

    /** Another set is asked from now on: the places known are not its. */
    forgetPlaces() {
        for (const entry of this.#entries.values()) delete entry.places;
    }

    /**
     * Who set a place, the oldest first. The places of a key are found when
     * they are first needed: mostly the owners are among the first keys.
     * @param {number} place
     * @param {(key: string) => number[]} placesOf
     * @param {{except?: string, most?: number, isNewest?: boolean}} options
     *     not this key; enough of them; the newest first
     */
    owners(place, placesOf, {except, most = 3, isNewest = false}) {
        const found = [];
        const entries = isNewest ? [...this.#entries].reverse()
            : this.#entries;
        for (const [key, entry] of entries) {
            if (key === except) continue;
            entry.places ??= placesOf(key);
            if (entry.places.includes(place) && found.push(key) === most) break;
        }
        return found;
    }

    #inSeries(key) {
        const series = this.#series;
        if (!series || !key.startsWith(series.before) ||
                !key.endsWith(series.after)) return false;
        const digits = key.slice(series.before.length,
            key.length - series.after.length);
        return /^(0|[1-9]\d*)$/.test(digits) && Number(digits) < series.count;
    }
}
