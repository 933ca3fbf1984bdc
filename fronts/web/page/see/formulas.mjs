/*
 * formulas.mjs - the four formulas of a Bloom filter, with its numbers put in.
 *
 * Bloom (1970), as Broder and Mitzenmacher write them ("Network Applications of
 * Bloom Filters", 2004, section 2): the fill and the rate of m bits with n keys
 * of k places each, the best k, and the size for a rate.
 */
import {h} from '../ui/dom.mjs';

const NAMES = ['fill', 'rate', 'best', 'size'];

function valuesOf({m, k}, n, format) {
    const general = value => format.general(value, 4);
    const fill = -Math.expm1(k * n * Math.log1p(-1 / m)), p = fill ** k;
    return {m: format.count(m), k, n: format.count(n), fill: general(fill),
        p: general(p), percent: `${general(100 * p)} %`,
        filled: `${general(100 * fill)} %`,
        best: general(m / n * Math.LN2),
        size: format.count(Math.ceil(-n * Math.log(p) / Math.LN2 ** 2))};
}

/** @param {import('./see.mjs').Page} page */
export function makeFormulas(page) {
    const {text, format} = page;
    const places = NAMES.map(() => h('span', {}));
    const element = h('div', {class: 'see-formulas'},
        h('h3', {}, text('formulas.title')),
        h('dl', {}, NAMES.map((name, i) => h('div', {'data-formula': name},
            h('dt', {}, text(`formulas.${name}`)),
            h('dd', {}, h('code', {}, text(`formulas.${name}_is`)),
                places[i])))));
    return {element,
        /** @param {number} n words that are in */
        show(n) {
            const {main} = page.demo;
            element.hidden = n === 0 ||
                !['bloom', 'counting'].includes(main.kind);
            const values = valuesOf(main.facts(), Math.max(n, 1), format);
            NAMES.forEach((name, i) => {
                places[i].textContent = text(`formulas.${name}_here`, values);
            });
        }};
}
