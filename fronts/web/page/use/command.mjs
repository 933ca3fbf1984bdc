/*
 * command.mjs - the `seenset` command that does the same.
 */
import {shortCount} from './settings.mjs';

/* As a shell reads it back. */
function quoted(word) {
    return /^[\w./:@%+=-]+$/.test(word) ? word
        : `'${word.replaceAll("'", "'\\''")}'`;
}

function sizeOf({settings, written}) {
    if (settings.onFull === 'rotate') return ['--window', written.window];
    return ['-n', shortCount(settings.capacity)];
}

/**
 * Null where the command has no such thing: columns, and sets of other layouts
 * than its own.
 * @param {object} given what Settings.read() returns
 * @param {string[]} names of the files
 * @param {string} output
 */
export function dedupCommand(given, names, output) {
    const {options, settings, isContinued, written} = given;
    if (isContinued || options.kind === 'csv' ||
        settings.layout !== 'blocked')
        return null;
    const words = ['seenset', 'dedup', '-p', written.p, ...sizeOf(given)];
    if (options.kind === 'nul') words.push('-0');
    if (options.keep === 'repeated') words.push('-v');
    return `${[...words, ...names].map(quoted).join(' ')} > ${
        quoted(output)}`;
}
