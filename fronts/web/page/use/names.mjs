/*
 * names.mjs - what the files that are made are called, after those they are of.
 *
 *     urls.txt.gz -> urls.unique.txt, urls.seen
 */
const ENDS = {new: 'unique', repeated: 'repeated', seen: 'seen-lines',
    unseen: 'unseen-lines'};

function split(name) {
    const plain = name.replace(/\.gz$/i, '');
    const dot = plain.lastIndexOf('.');
    return dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
}

/** @param {string} name @param {string} keep */
export function outputName(name, keep) {
    const [stem, end] = split(name);
    return `${stem}.${ENDS[keep]}${end}`;
}

/** @param {string} name */
export function setName(name) {
    return `${split(name)[0]}.seen`;
}
