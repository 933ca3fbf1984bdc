/*
 * copy.mjs - a button that copies a text, and says so.
 *
 * Browsers have a clipboard only where a page is trusted: https, or this
 * machine. Elsewhere the text is selected, and the reader presses the keys.
 */
import {h} from './dom.mjs';

const SHOWN_MS = 1500;

function selectText(place) {
    const range = document.createRange();
    range.selectNodeContents(place);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
}

/**
 * @param {HTMLElement} place whose text is copied
 * @param {{copy: string, copied: string, not_copied: string, what: string}}
 *     words of the button, before and after, and its longer name
 * @param {(text: string) => void} announce
 */
export function copyButton(place, words, announce) {
    const button = h('button', {type: 'button', class: 'quiet copy',
        'aria-label': words.what}, words.copy);
    const say = word => {
        button.textContent = word;
        announce(word);
        setTimeout(() => { button.textContent = words.copy; }, SHOWN_MS);
    };
    button.addEventListener('click', async () => {
        try {
            await navigator.clipboard.writeText(place.textContent);
            say(words.copied);
        } catch {
            selectText(place);
            say(words.not_copied);
        }
    });
    return button;
}
