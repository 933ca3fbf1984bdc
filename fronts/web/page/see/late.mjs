/*
 * late.mjs - the card of many words (fill.mjs) is fetched when the reader comes
 * to it: it is below what is seen first, and large.
 *
 * Until then its place is kept, so that nothing below it moves much.
 */
import {h} from '../ui/dom.mjs';

/** @param {import('./see.mjs').Page} page */
export function makeLateFill(page) {
    const element = h('div', {class: 'card see-fill is-late'});
    let fill = null;
    const load = async () => {
        const [{makeFill}, text] = await Promise.all([import('./fill.mjs'),
            page.shell.more('fill')]);
        page.texts.set('fill', text);
        fill = makeFill(page, element);
        element.classList.remove('is-late');
        fill.draw();
    };
    const watch = new IntersectionObserver(async entries => {
        if (!entries.some(({isIntersecting}) => isIntersecting)) return;
        watch.disconnect();
        try {
            await load();
            page.shell.tell(null);
        } catch (error) {
            page.shell.tell(error);
            watch.observe(element); /* tried again when it is scrolled to */
        }
    });
    watch.observe(element);
    return {element,
        draw: () => fill?.draw(),
        restart: () => fill?.restart()};
}
