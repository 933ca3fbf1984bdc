/*
 * fields.mjs - what is known: n, p, m and k, as people write them.
 *
 * An empty field is one to be found, and shows what was found as its
 * placeholder. A field that cannot be read says why in the place of its hint,
 * and the last good result stays.
 */
import {freshId, h} from '../ui/dom.mjs';

const FIELDS = [
    {name: 'n', parse: 'count'},
    {name: 'p', parse: 'rate'},
    {name: 'm', parse: 'bits'},
    {name: 'k', parse: 'count'},
];

export const MOST_HASHES = 255;

/* The value of a text, or its mistake. Nothing written is nothing given. */
function read(field, written, shell) {
    if (written.trim() === '') return {};
    const out = shell.parse[field.parse](written);
    if (field.name === 'k' && out.value > MOST_HASHES)
        return {error: shell.text('k_most', {most: MOST_HASHES})};
    return out;
}

function makeField(field, shell, changed) {
    const id = freshId(`size-${field.name}`);
    const hint = h('span', {class: 'note', id: `${id}-hint`},
        shell.text(`field.${field.name}.hint`));
    const error = h('span', {class: 'why wrong', id: `${id}-why`});
    const input = h('input', {type: 'text', id, name: field.name,
        autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
        'aria-describedby': `${id}-hint ${id}-why`, oninput: changed});
    const element = h('div', {class: 'field'},
        h('label', {for: id}, shell.text(`field.${field.name}.label`), ' ',
            h('var', {}, field.name)),
        input,
        hint, error);
    return {...field, input, hint, error, element};
}

/**
 * @param {object} shell
 * @param {() => void} changed called when the reader wrote something
 */
export function fields(shell, changed) {
    const all = FIELDS.map(field => makeField(field, shell, changed));
    return {
        element: h('div', {class: 'size-fields'},
            all.map(({element}) => element)),
        /** Marks mistakes. @returns {{written, given, isGood: boolean}} */
        read() {
            const written = {}, given = {};
            let isGood = true;
            for (const field of all) {
                const {value, error = ''} =
                    read(field, field.input.value, shell);
                written[field.name] = field.input.value.trim();
                if (value !== undefined) given[field.name] = value;
                const isWrong = error !== '';
                field.error.textContent = error;
                field.hint.hidden = isWrong;
                field.input.setAttribute('aria-invalid', String(isWrong));
                isGood &&= !isWrong;
            }
            return {written, given, isGood};
        },
        /** @param {Object<string, string>} texts */
        write(texts) {
            for (const {name, input} of all) input.value = texts[name] ?? '';
        },
        /** What was found, in the fields that are empty. */
        showFound(texts) {
            for (const {name, input} of all)
                input.placeholder = texts[name] ?? '';
        },
    };
}
