/*
 * intake.mjs - files come in: dropped anywhere on the panel, chosen or pasted.
 */
import {freshId, h} from '../ui/dom.mjs';

const SAMPLE_LINES = 1000;
const SAMPLE_PAGES = 613; /* a prime, so the pages come in no plain order */

/* URLs as a crawler meets them: the same ones again and again. */
function sample() {
    const lines = Array.from({length: SAMPLE_LINES}, (_, i) =>
        `https://example.org/page/${i * i * 7 % SAMPLE_PAGES}\n`);
    return new File(lines, 'sample-urls.txt');
}

/* Marks the place while files are held over it. */
function takeDrops(root, place, tell) {
    let depth = 0;
    const mark = by => {
        depth = Math.max(0, depth + by);
        place.classList.toggle('is-over', depth > 0);
    };
    root.addEventListener('dragenter', event => {
        event.preventDefault();
        mark(1);
    });
    root.addEventListener('dragleave', () => mark(-1));
    root.addEventListener('dragover', event => event.preventDefault());
    root.addEventListener('drop', event => {
        event.preventDefault();
        mark(-depth);
        if (event.dataTransfer.files.length > 0)
            tell([...event.dataTransfer.files]);
    });
}

/* A button that is a file input: it opens by keyboard as well. */
function chooser(text, tell) {
    const input = h('input', {type: 'file', multiple: true, class: 'unseen',
        id: freshId('files'), onchange: () => {
            if (input.files.length > 0) tell([...input.files]);
            input.value = ''; /* so that the same file can come again */
        }});
    return [input, h('label', {class: 'button', for: input.id},
        text('choose'))];
}

function pasteBox(text, tell) {
    const id = freshId('paste');
    const area = h('textarea', {id, rows: 5, spellcheck: 'false',
        autocapitalize: 'off', placeholder: text('paste_example')});
    const take = () => {
        if (area.value !== '')
            tell([new File([area.value], text('pasted_name'))]);
    };
    return h('details', {class: 'paste'},
        h('summary', {}, text('paste')),
        h('div', {class: 'field'},
            h('label', {for: id}, text('paste_label')), area),
        h('button', {type: 'button', class: 'quiet', onclick: take},
            text('paste_take')));
}

/**
 * @param {HTMLElement} root of the panel
 * @param {(name: string) => string} text
 * @param {(files: File[]) => void} tell
 * @param {(file: File) => void} tryOut takes the sample
 * @returns {HTMLElement[]}
 */
export function intake(root, text, tell, tryOut) {
    const place = h('div', {class: 'drop'},
        h('p', {class: 'drop-title'}, text('drop')),
        h('p', {class: 'note'}, text('drop_note')),
        h('p', {class: 'drop-choose'}, chooser(text, tell),
            h('button', {type: 'button', class: 'quiet',
                onclick: () => tryOut(sample())}, text('sample'))));
    takeDrops(root, place, tell);
    return [place, pasteBox(text, tell)];
}
