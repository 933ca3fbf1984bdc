/*
 * theme.mjs - dark or light: as the system says, until the reader chooses.
 */
import {keep, kept} from './kept.mjs';

const KEY = 'seenset-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * @param {HTMLButtonElement} button
 * @param {(name: string) => string} text
 */
export function startTheme(button, text) {
    const root = document.documentElement;
    const chosen = () => root.dataset.theme ??
        (dark.matches ? 'dark' : 'light');
    const update = () => {
        const other = chosen() === 'dark' ? 'light' : 'dark';
        button.textContent = text(`theme.${other}`);
    };
    const before = kept(KEY);
    if (before === 'dark' || before === 'light') root.dataset.theme = before;
    button.addEventListener('click', () => {
        root.dataset.theme = chosen() === 'dark' ? 'light' : 'dark';
        keep(KEY, root.dataset.theme);
        update();
    });
    dark.addEventListener('change', update);
    update();
}
