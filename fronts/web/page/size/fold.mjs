/*
 * fold.mjs - a card that is folded at first on a phone, where the panel would
 * be many screens tall, and open elsewhere. A mistake in it opens it, and so
 * does an address with a choice that is in it.
 */
import {h} from '../ui/dom.mjs';

const PHONE = '(max-width: 42rem)'; /* size.css */

/** @param {string} name its class @param {string} title of its heading */
export function fold(name, title, ...children) {
    return h('details', {class: `card ${name}`,
        open: !matchMedia(PHONE).matches},
    h('summary', {}, h('h2', {}, title)), ...children);
}
