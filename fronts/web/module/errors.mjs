/*
 * errors.mjs - what went wrong, and what to do.
 *
 * The C library has the first half of each message (seenset/error.h); the
 * second half is here, as it depends on what one can do in JavaScript.
 */

/** Error names to what helps. */
const help = {
    SEENSET_EINVAL: 'Check the arguments of the call.',
    SEENSET_ENOMEM: 'Free sets that are no longer needed, or make a smaller ' +
        'one: a page has 4 GiB at most.',
    SEENSET_ETOOBIG: 'Ask for fewer keys, or a higher fpRate.',
    SEENSET_ERATE: 'Give fewer keys, more bits or a higher fpRate.',
    SEENSET_EFULL: 'Make the set with a larger capacity, or with ' +
        'onFull "grow" or "rotate".',
    SEENSET_EUNSUPPORTED: 'The layout, the policy or the scheme of the set ' +
        'decides what it can do.',
    SEENSET_EREADONLY: 'Make a copy(), and change that.',
    SEENSET_EMISMATCH: 'Make both sets with the same options.',
    SEENSET_EIO: 'Read the file again.',
    SEENSET_EFORMAT: 'Give the bytes of a file that save() or the command ' +
        'wrote.',
    SEENSET_EVERSION: 'Use a newer version of this module.',
    SEENSET_ETRUNCATED: 'Get the whole file again.',
    SEENSET_ECORRUPT: 'Get the file again, or make the set anew.',
    SEENSET_EHASH: 'Open it with the program that made it.',
    SEENSET_ESECRET: 'Give the secret that the set was made with, and no ' +
        'other set a secret.',
    SEENSET_EJOURNAL: 'Fold the journal in with seenset compact, or open ' +
        'the file with withoutJournal: true.',
};

/** What every call of this module throws. */
export class SeensetError extends Error {
    /**
     * @param {number} code of seenset/error.h
     * @param {string} errorName such as "SEENSET_ERATE"
     * @param {string} message
     */
    constructor(code, errorName, message) {
        super(message);
        this.name = 'SeensetError';
        this.code = code;
        this.errorName = errorName;
    }
}

/** An argument that is outside its range, before the library sees it. */
export function invalid(message) {
    return new SeensetError(-1, 'SEENSET_EINVAL', message);
}

/** "out of memory" to "Out of memory. Free sets that ..." */
export function sentence(text, errorName) {
    const first = text.charAt(0).toUpperCase() + text.slice(1);
    return [`${first}.`, help[errorName] ?? ''].join(' ').trim();
}
