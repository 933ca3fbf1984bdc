/*
 * kept.mjs - what the reader chose for the page, in this browser's storage.
 *
 * Storage may be off: then a choice holds for this visit.
 */

/** @param {string} key @returns {string | null} */
export function kept(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

/** Can it be kept? */
export function isKeeping() {
    try {
        return localStorage !== null;
    } catch {
        return false;
    }
}

/** @param {string} key @param {string} choice */
export function keep(key, choice) {
    try {
        localStorage.setItem(key, choice);
    } catch {
        /* for this visit, then */
    }
}
