/*
 * dom.mjs - elements in one expression.
 *
 *     h('p', {class: 'note', onclick: f}, 'Size: ', h('b', {}, size))
 *
 * A value that is a function is a listener, true is an attribute without a
 * value, and false, null and undefined leave it out. Text is always text,
 * never markup.
 */
const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === false || value === null || value === undefined) continue;
        if (typeof value === 'function')
            element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
    element.append(...children.flat(Infinity)
        .filter(child => child !== false && (child ?? null) !== null));
    return element;
}

/** @returns {HTMLElement} */
export function h(name, attributes, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/** The same for a picture. @returns {SVGElement} */
export function svg(name, attributes, ...children) {
    return fill(document.createElementNS(SVG, name), attributes, children);
}

let last = 0;

/** A name that no other element has, for `for` and `aria-` attributes. */
export function freshId(stem) {
    return `${stem}-${++last}`;
}
