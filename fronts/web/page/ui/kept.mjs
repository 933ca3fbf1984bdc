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

/** Can it be kept? Storage that is read may still take nothing. */
export function isKeeping() {
    const probe = 'seenset-probe';
    if (!keep(probe, '')) return false;
    localStorage.removeItem(probe);
    return true;
}

/**
 * @param {string} key @param {string} choice
 * @returns {boolean} false: it is for this visit
 */
export function keep(key, choice) {
    try {
        localStorage.setItem(key, choice);
        return true;
    } catch {
        return false;
    }
}
