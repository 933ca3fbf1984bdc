/*
 * tabs.mjs - one of several texts in one place.
 *
 * As the ARIA practices have it: one tab can be reached by the Tab key, arrows
 * go to the others, Home and End to the ends.
 */
import {freshId, h} from './dom.mjs';

function targetOf(key, at, count) {
    switch (key) {
    case 'ArrowRight': return (at + 1) % count;
    case 'ArrowLeft': return (at + count - 1) % count;
    case 'Home': return 0;
    case 'End': return count - 1;
    default: return -1;
    }
}

/**
 * @param {string} label what they are tabs of
 * @param {{name: string, title: string, body: HTMLElement}[]} pages
 * @param {(name: string) => void} tell which one the reader chose
 * @returns {{list: HTMLElement, select(name: string): void}} the bodies are
 *     for the caller to place
 */
export function tabs(label, pages, tell) {
    const buttons = pages.map(({name, title, body}) => {
        const id = freshId('tab');
        body.setAttribute('role', 'tabpanel');
        body.setAttribute('aria-labelledby', id);
        body.id ||= freshId('page');
        return h('button', {type: 'button', role: 'tab', id,
            'aria-controls': body.id, 'data-name': name}, title);
    });
    const select = name => pages.forEach((page, i) => {
        const isChosen = page.name === name;
        page.body.hidden = !isChosen;
        buttons[i].setAttribute('aria-selected', String(isChosen));
        buttons[i].tabIndex = isChosen ? 0 : -1;
    });
    const choose = i => {
        select(pages[i].name);
        buttons[i].focus();
        tell(pages[i].name);
    };
    buttons.forEach((button, i) => {
        button.addEventListener('click', () => choose(i));
        button.addEventListener('keydown', event => {
            const to = targetOf(event.key, i, pages.length);
            if (to < 0) return;
            event.preventDefault();
            choose(to);
        });
    });
    select(pages[0].name);
    return {
        list: h('div', {role: 'tablist', 'aria-label': label}, buttons),
        select,
    };
}
