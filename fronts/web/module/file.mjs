/*
 * file.mjs - set files: opened, verified, written.
 *
 * The C library reads the file through the host (Core.showing), so it need not
 * fit into memory beside the set, and each refusal is the library's own.
 */
import {sentence} from './errors.mjs';
import {secretOf} from './options.mjs';

/** Where and why the last call refused a file. */
function reportOf(core) {
    return {
        fileBytes: core.number(0),
        offset: core.number(1),
        reason: core.text(core.exports.web_report_reason()),
    };
}

/** A SeensetError with the report, and its place in the message. */
function refusal(core, code) {
    const report = reportOf(core);
    const error = core.error(code);
    const text = core.text(core.exports.web_error_text(code));
    if (report.reason !== '' && report.reason !== text)
        error.message = sentence(`${text}. At byte ${report.offset}: ` +
            report.reason, error.errorName);
    error.report = report;
    return error;
}

/** Opens a file; returns the address of the set. */
export function openFile(core, file, secret, withoutJournal) {
    const bytes = secretOf(secret) ?? new Uint8Array(0);
    const open = (place) => core.showing(file, () => core.exports.web_open(
        core.made, bytes.length === 0 ? 0 : place, withoutJournal ? 1 : 0));
    const code = core.withBytes(bytes, open);
    if (code < 0)
        throw refusal(core, code);
    return core.takeMade();
}

/** @returns {import('./seenset.js').Verdict} */
export function verifyFile(core, file) {
    const code = core.showing(file, () => core.exports.web_verify());
    return {
        sound: code === 0,
        error: code === 0 ? '' : core.text(core.exports.web_error_name(code)),
        ...reportOf(core),
    };
}

/** Hands the bytes of a set's file to `take`, piece by piece. */
export function writeFile(core, set, take) {
    core.check(core.writing(take, () => core.exports.web_write(set)));
}

/** The bytes of a set's file. */
export function fileBytes(core, set) {
    core.check(core.exports.web_file_bytes(set));
    const bytes = new Uint8Array(core.number(0));
    let at = 0;
    writeFile(core, set, (piece) => {
        bytes.set(piece, at);
        at += piece.length;
    });
    return bytes;
}
