/*
 * fields.mjs - what is known: n, p, m and k, as people write them.
 *
 * An empty field is one to be found, and shows what was found as its
 * placeholder. A field that cannot be read says why in the place of its hint,
 * and the last good result stays. A slider below n and p writes into its field.
 */
import {freshId, h} from '../ui/dom.mjs';

/* What a slider is at, as a power of ten, and what it writes. */
const SLIDERS = {
    n: {least: 2, most: 10, write: writeCount},
    p: {least: -12, most: -0.3, write: writeRate},
};
const SLIDER_STEP = 0.1;

const FIELDS = [
    {name: 'n', parse: 'count'},
    {name: 'p', parse: 'rate'},
    {name: 'm', parse: 'bits'},
    {name: 'k', parse: 'count'},
];

export const MOST_HASHES = 255;

/* 10 ** power with two digits, as the command takes it. */
function writeCount(power) {
    const value = Number((10 ** power).toPrecision(2));
    const [size, letter] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']]
        .find(([unit]) => value >= unit);
    return `${Number((value / size).toPrecision(2))}${letter}`;
}

function writeRate(power) {
    const value = 10 ** power;
    if (value < 0.00095) return value.toExponential(1).replace('.0e', 'e');
    return `${Number((100 * value).toPrecision(2))}%`;
}

/* "1.000" is one, and may be meant as a thousand. */
const isDoubtful = (field, written) => field.parse === 'count' &&
    /^\d{1,3}(\.000)+$/.test(written);

function makeSlider({name}, label, shell, input, changed) {
    if (!SLIDERS[name]) return null;
    const {least, most, write} = SLIDERS[name];
    const slider = h('input', {type: 'range', min: least, max: most,
        step: SLIDER_STEP, 'aria-label': shell.text('slider', {label}),
        oninput: () => {
            input.value = write(Number(slider.value));
            slider.setAttribute('aria-valuetext', input.value);
            changed();
        }});
    return slider;
}

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
    const label = shell.text(`field.${field.name}.label`);
    const slider = makeSlider(field, label, shell, input, changed);
    const element = h('div', {class: 'field'},
        h('label', {for: id}, label, ' ', h('var', {}, field.name)),
        input, slider, hint, error);
    return {...field, input, slider, hint, error, element};
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
                written[field.name] = shell.parse.plain(field.input.value);
                if (field.slider && value !== undefined &&
                    field.slider !== document.activeElement) {
                    field.slider.value = String(Math.log10(value));
                    field.slider.setAttribute('aria-valuetext',
                        written[field.name]);
                }
                field.hint.textContent =
                    isDoubtful(field, written[field.name])
                        ? shell.text('point', {n: value})
                        : shell.text(`field.${field.name}.hint`);
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
