/*
 * announce.mjs - says what changed to people who do not see it change.
 *
 * A live region is read when its text changes. Calls that follow one another
 * while somebody types are one announcement: the last.
 */
const PAUSE_MS = 400;

/** @param {HTMLElement} region */
export function announcer(region) {
    let waiting = 0;
    return text => {
        clearTimeout(waiting);
        waiting = setTimeout(() => { region.textContent = text; }, PAUSE_MS);
    };
}
