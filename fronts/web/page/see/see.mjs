/*
 * see.mjs - the panel "see".
 */
import {h} from '../ui/dom.mjs';

/** @param {HTMLElement} root @param {import('../app.mjs').Shell} shell */
export function mount(root, shell) {
    root.append(h('h1', {}, shell.text('title')));
}
