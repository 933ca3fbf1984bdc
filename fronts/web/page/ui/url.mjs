/*
 * url.mjs - what is on the screen is in the address.
 *
 *     #size?n=1G&p=1%25
 *      panel    its state
 *
 * It is all in the fragment, which browsers do not send to the server: a sizing
 * can be sent to a colleague, and nobody else reads it. A panel that is left
 * keeps its state, and gets it back when it is shown again, also after the page
 * started again.
 */
const HANDED = 'seenset-states';
const states = new Map(received());

/* What the panels had when the page started again. */
function received() {
    try {
        const handed = JSON.parse(sessionStorage.getItem(HANDED) ?? '[]');
        sessionStorage.removeItem(HANDED);
        return handed;
    } catch {
        return [];
    }
}

/**
 * Keeps the states of all panels for the next start in this tab.
 * @returns {boolean} false: they would be lost
 */
export function handOver() {
    try {
        sessionStorage.setItem(HANDED, JSON.stringify([...states]));
        return true;
    } catch {
        return states.size === 0;
    }
}

/** @param {string[]} panels */
export function readUrl(panels) {
    const [name, query = ''] = location.hash.slice(1).split('?');
    const panel = panels.includes(name) ? name : panels[0];
    if (panels.includes(name) && location.hash.includes('?'))
        states.set(panel, Object.fromEntries(new URLSearchParams(query)));
    return {panel, state: states.get(panel) ?? {}};
}

/** A comma and a slash are as plain in a fragment as letters are. */
function spell(panel, state) {
    const kept = Object.entries(state).filter(([, value]) => value !== '' &&
        value !== undefined && value !== null);
    const query = new URLSearchParams(kept).toString()
        .replaceAll('%2F', '/').replaceAll('%2C', ',');
    return query === '' ? `#${panel}` : `#${panel}?${query}`;
}

/**
 * The part of the address that belongs to one panel.
 * @param {string} panel
 */
export function panelUrl(panel) {
    return {
        /** @returns {Object<string, string>} as it is now */
        get: () => ({...states.get(panel)}),
        /** Replaces it, without empty values. Makes no step back. */
        set(state) {
            states.set(panel, state);
            const current = location.hash.slice(1).split('?')[0];
            if (current === panel || current === '')
                history.replaceState(null, '', spell(panel, state));
        },
        /** Calls `tell` with the state when the reader changes the address. */
        onChange(tell) {
            window.addEventListener('hashchange', () => {
                if (location.hash.slice(1).split('?')[0] === panel)
                    tell({...states.get(panel)});
            });
        },
        /** @returns {string} the fragment of this panel, as it is now */
        link: () => spell(panel, states.get(panel) ?? {}),
        /** @returns {string} the fragment of any panel with a state */
        to: (other, state) => spell(other, state),
    };
}
