/*
 * late.mjs - the card of many words (fill.mjs) is fetched when the reader comes
 * to it: it is below what is seen first, and large.
 *
 * That is when it is on the screen, or when anything in the panel has the
 * focus: keys go from one card to the next. Until then it has its heading
 * and its place, so that nothing below it moves much.
 */
import {h} from '../ui/dom.mjs';

/** @param {import('./see.mjs').Page} page */
export function makeLateFill(page) {
    const {text, shell} = page;
    const failed = h('p', {class: 'wrong', role: 'alert', hidden: true});
    const element = h('div', {class: 'card see-fill is-late'},
        h('h2', {}, text('fill.title')),
        h('p', {class: 'note'}, text('fill.note')), failed);
    let fill = null;
    const load = async () => {
        const [{makeFill}, more] = await Promise.all([import('./fill.mjs'),
            shell.more('fill')]);
        page.texts.set('fill', more);
        fill = makeFill(page, element);
        element.classList.remove('is-late');
        fill.draw();
    };
    let isComing = false;
    const come = async () => {
        if (isComing) return;
        isComing = true;
        try {
            await load();
            failed.hidden = true;
            watch.disconnect();
            page.root.removeEventListener('focusin', come);
        } catch (error) {
            failed.textContent = shell.common('missing', {why: error.message});
            failed.hidden = false;
            isComing = false; /* the next time it is tried again */
        }
    };
    const watch = new IntersectionObserver(entries => {
        if (entries.some(({isIntersecting}) => isIntersecting)) come();
    });
    watch.observe(element);
    page.root.addEventListener('focusin', come);
    return {element,
        draw: () => fill?.draw(),
        restart: () => fill?.restart()};
}
