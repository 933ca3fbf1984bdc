/*
 * fields.mjs - a choice, a text, a list: with their labels.
 */
import {freshId, h} from '../ui/dom.mjs';

/**
 * One of some, as pills.
 * @param {string} legend
 * @param {{value: string, title: string}[]} options
 * @param {() => void} tell
 */
export function choice(legend, options, tell) {
    const name = freshId('choice');
    const inputs = options.map(({value}) => h('input', {type: 'radio', name,
        value, onchange: tell}));
    const labels = options.map(({title}, i) =>
        h('label', {}, inputs[i], h('span', {}, title)));
    const root = h('div', {class: 'field', role: 'radiogroup',
        'aria-label': legend},
    h('span', {class: 'label', 'aria-hidden': 'true'}, legend),
    h('div', {class: 'choice'}, labels));
    inputs[0].checked = true;
    return {
        root,
        get value() { return inputs.find(input => input.checked).value; },
        set value(wanted) {
            const found = inputs.find(input => input.value === wanted);
            if (found !== undefined && !found.closest('label').hidden)
                found.checked = true;
        },
        /** Shows only these. */
        offer(values) {
            inputs.forEach((input, i) => {
                labels[i].hidden = !values.includes(input.value);
            });
            if (!values.includes(this.value)) inputs[0].checked = true;
        },
    };
}

/**
 * A text with what is wrong about it below.
 * @param {string} label
 * @param {{value?: string, placeholder?: string, hint?: string}} given
 * @param {() => void} tell
 */
export function textField(label, {value = '', placeholder, hint}, tell) {
    const id = freshId('text');
    const note = h('p', {class: 'note', id: `${id}-note`}, hint ?? '');
    const input = h('input', {type: 'text', id, value, placeholder,
        spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
        'aria-describedby': note.id, oninput: tell});
    return {
        root: h('div', {class: 'field'}, h('label', {for: id}, label), input,
            note),
        get value() { return input.value.trim(); },
        set value(text) { input.value = text; },
        set placeholder(text) { input.placeholder = text; },
        /** @param {string} [error] none: it is right */
        mark(error) {
            input.setAttribute('aria-invalid', String(error !== undefined));
            note.textContent = error ?? hint ?? '';
            note.classList.toggle('wrong', error !== undefined);
        },
    };
}

/**
 * @param {string} label
 * @param {{value: string, title: string}[]} options
 * @param {() => void} tell
 */
export function list(label, options, tell) {
    const id = freshId('list');
    const select = h('select', {id, onchange: tell});
    const out = {
        root: h('div', {class: 'field'}, h('label', {for: id}, label), select),
        get value() { return select.value; },
        set value(wanted) {
            if ([...select.options].some(({value}) => value === wanted))
                select.value = wanted;
        },
        offer(wanted) {
            select.replaceChildren(...wanted.map(({value, title}) =>
                h('option', {value}, title)));
        },
    };
    out.offer(options);
    return out;
}

/** @param {string} label @param {boolean} isOn @param {() => void} tell */
export function check(label, isOn, tell) {
    const input = h('input', {type: 'checkbox', onchange: tell});
    input.checked = isOn;
    return {
        root: h('label', {class: 'check'}, input, h('span', {}, label)),
        get value() { return input.checked; },
        set value(wanted) { input.checked = wanted; },
    };
}
