/* Lines that lose what a set has seen, by the module in Node: random files in
 * random pieces, against a reader that goes byte by byte and remembers every
 * key. With SIMD and without. */
import assert from "node:assert/strict";
import {test} from "node:test";
import {pathToFileURL} from "node:url";
import path from "node:path";
import {openFile} from "../../fronts/web/page/use/source.mjs";
import {seenset_bytes, site} from "./harness.mjs";

const {load} = await import(
    pathToFileURL(path.join(site, "module/seenset.mjs")));
const libraries = [await load({simd: true}), await load({simd: false})];
const bytes_of = (text) => Buffer.from(text, "latin1");

/** Random numbers that are the same each time (mulberry32). */
function random_from(seed) {
    let state = seed;
    return (limit) => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    };
}

/* ---- the slow reader ---- */

/** The lines of a text: {raw, key}, raw with its separator. */
function slow_lines(text, separator) {
    const lines = text.split(separator);
    if (lines.at(-1) === "")
        lines.pop();
    return lines.map((key) => ({key, raw: key + separator}));
}

/** What a field between delimiters means. */
function slow_meaning(field) {
    if (field[0] !== '"')
        return field;
    let meaning = "";
    let is_inside = true;
    for (let i = 1; i < field.length; i++) {
        if (is_inside && field[i] === '"' && field[i + 1] === '"')
            meaning += field[i++];
        else if (is_inside && field[i] === '"')
            is_inside = false;
        else
            meaning += field[i];
    }
    return meaning;
}

/** What a byte of a field makes of the state that it is met in. */
function slow_state(state, c) {
    if (state === "quoted")
        return c === '"' ? "after quote" : "quoted";
    if (c === '"' && state === "start")
        return "quoted";
    return c === '"' && state === "after quote" ? "quoted" : "plain";
}

/** The records of a CSV text: {raw, fields}. */
function slow_records(text, delimiter) {
    const records = [];
    let raw = "", field = "", fields = [], state = "start";
    const end_field = (meant) => {
        fields.push(slow_meaning(meant));
        field = "";
        state = "start";
    };
    const end_record = (end) => {
        end_field(field.replace(/\r$/, ""));
        records.push({raw: raw + end, fields});
        raw = "";
        fields = [];
    };
    for (const c of text) {
        const is_free = state !== "quoted";
        raw += c;
        if (is_free && c === delimiter) {
            end_field(field);
        } else if (is_free && c === "\n") {
            end_record("");
        } else {
            state = slow_state(state, c);
            field += c;
        }
    }
    if (raw !== "")
        end_record(records[0]?.raw.endsWith("\r\n") ? "\r\n" : "\n");
    return records;
}

/** Of {raw, key}, those that are kept; a key that is undefined is. */
function slow_kept(lines, keep) {
    const seen = new Set();
    return lines.filter(({key}) => {
        if (key === undefined)
            return true;
        const is_new = !seen.has(key);
        seen.add(key);
        return is_new === (keep === "new");
    }).map(({raw}) => raw).join("");
}

/* ---- the module ---- */

function fast_kept(library, text, options, random) {
    const set = new library.SeenSet({capacity: 1000, fpRate: 1e-12});
    const lines = set.lines(options);
    const bytes = bytes_of(text);
    const kept = [];
    for (let at = 0; at < bytes.length;) {
        const size = 1 + random(random(4) === 0 ? 4000 : 40);
        kept.push(lines.push(bytes.subarray(at, at + size)));
        at += size;
    }
    kept.push(lines.end());
    const {counts} = lines;
    lines.free();
    set.free();
    return {kept: Buffer.concat(kept).toString("latin1"), counts};
}

function random_text(random, letters, length) {
    let text = "";
    for (let i = 0; i < length; i++)
        text += letters[random(letters.length)];
    return text;
}

for (const [keep, separator] of [["new", "\n"], ["repeated", "\n"],
                                 ["new", "\0"]])
    test(`lines_${keep}_${separator.charCodeAt(0)}_are_as_read_slowly`, () => {
        const random = random_from(1);
        for (let round = 0; round < 300; round++) {
            const letters = ["ab\n", "a\n\0\r", "abcdefgh\n\0\xff\x80"];
            const text = random_text(random, letters[round % 3],
                                     random(3000));
            const lines = slow_lines(text, separator);
            for (const library of libraries) {
                const {kept, counts} = fast_kept(library, text,
                    {keep, separator: separator.charCodeAt(0)}, random);
                assert.equal(kept, slow_kept(lines, keep));
                assert.equal(counts.lines, lines.length);
                assert.equal(counts.kept + counts.dropped, lines.length);
            }
        }
    });

/** Compares one random table in both ways. */
function check_table(random, round, records_of = slow_records) {
    const delimiter = ",;\t|"[round % 4];
    const letters = `ab"${delimiter}\n"\r${delimiter}\n`;
    const text = random_text(random, letters, random(600));
    const column = 1 + random(3);
    const lines = records_of(text, delimiter).map(({raw, fields}) =>
        ({raw, key: fields[column - 1]}));
    for (const library of libraries) {
        const {kept, counts} = fast_kept(library, text,
            {csvColumn: column, csvDelimiter: delimiter.charCodeAt(0),
             csvHeader: false}, random);
        assert.equal(kept, slow_kept(lines, "new"),
                     JSON.stringify({text, column, delimiter}));
        assert.equal(counts.withoutColumn,
                     lines.filter(({key}) => key === undefined).length);
    }
}

test("csv_columns_are_as_read_slowly", () => {
    const random = random_from(2);
    for (let round = 0; round < 2000; round++)
        check_table(random, round);
});

/* A reader that takes two quotes for two bytes must be found to differ. */
test("csv_check_finds_a_wrong_reader", () => {
    const random = random_from(2);
    const wrong = (text, delimiter) =>
        slow_records(text, delimiter).map(({raw, fields}) =>
            ({raw, fields: fields.map((field) => field.replace('"', ""))}));
    assert.throws(() => {
        for (let round = 0; round < 2000; round++)
            check_table(random, round, wrong);
    }, assert.AssertionError);
});

const table = "\ufeffid,\"the \"\"name\"\"\",city\r\n" +
    "1,Ada,\"12, Main St\r\nLondon\"\r\n2,\"Ada\",Paris\r\n" +
    "3,Bob\r\n4\r\n5,Bob,Rome";

/** What is kept of texts, one after the other in one set. */
function kept_of(options, ...texts) {
    const [library] = libraries;
    const set = new library.SeenSet({capacity: 1000, fpRate: 1e-12});
    return texts.map((text, i) => {
        const lines = set.lines({...options,
                                 csvHeader: i > 0 ? "drop" : true});
        const kept = [lines.push(Buffer.from(text)), lines.end()];
        return Buffer.concat(kept).toString();
    }).join("");
}

test("csv_column_is_found_by_its_name", () => {
    const first = "\ufeffid,\"the \"\"name\"\"\",city\r\n" +
        "1,Ada,\"12, Main St\r\nLondon\"\r\n3,Bob\r\n4\r\n";
    assert.equal(kept_of({csvColumn: 'the "name"'}, table), first);
    assert.equal(kept_of({csvColumn: 2}, table), first);
    assert.equal(kept_of({csvColumn: "id"}, table), table + "\r\n");
});

test("csv_header_of_later_files_is_dropped", () => {
    assert.equal(kept_of({csvColumn: "b"}, "a,b\n1,x\n", "b,a\nx,2\ny,3\n"),
                 "a,b\n1,x\ny,3\n");
});

test("csv_column_that_is_missing_is_an_error", () => {
    assert.throws(() => kept_of({csvColumn: "nobody"}, table),
                  {errorName: "SEENSET_EMISMATCH"});
});

test("csv_header_is_decoded", () => {
    for (const {csvHeader} of libraries) {
        assert.deepEqual(csvHeader(Buffer.from(table)),
                         ["id", 'the "name"', "city"]);
        assert.deepEqual(csvHeader(Buffer.from("a;b\n"), 59), ["a", "b"]);
        assert.equal(csvHeader(Buffer.from('a,"b')), null);
    }
});

test("csv_open_quote_is_reported", () => {
    const [library] = libraries;
    const set = new library.SeenSet();
    const lines = set.lines({csvColumn: 1, csvHeader: false});
    assert.equal(lines.push(bytes_of('a,"b\nc,d\n')).length, 0);
    assert.equal(Buffer.from(lines.end()).toString(), 'a,"b\nc,d\n\n');
    assert.equal(lines.counts.hasOpenQuote, true);
});

test("lines_only_ask_where_they_should", () => {
    for (const library of libraries) {
        const set = new library.SeenSet();
        set.add("b");
        for (const [keep, expected] of [["seen", "b\nb\n"],
                                        ["unseen", "a\nc\n"]]) {
            const lines = set.lines({keep});
            const kept = [lines.push(bytes_of("a\nb\nb\nc")), lines.end()];
            assert.equal(Buffer.concat(kept).toString(), expected);
        }
        assert.equal(set.info().addedItems, 1);
    }
});

test("lines_of_a_full_set_end_before_the_refused_one", () => {
    const [library] = libraries;
    const set = new library.SeenSet({capacity: 2, onFull: "refuse"});
    const lines = set.lines();
    let error;
    try {
        lines.push(bytes_of("a\na\nb\nc\nd\n"));
    } catch (thrown) {
        error = thrown;
    }
    assert.equal(error.errorName, "SEENSET_EFULL");
    assert.equal(Buffer.from(error.kept).toString(), "a\nb\n");
    assert.deepEqual([lines.counts.lines, lines.counts.kept], [3, 2]);
});

/* pushTo shows what push returns, in views that end with the call. */
test("lines_are_shown_where_they_are", () => {
    const random = random_from(5);
    const bytes = bytes_of(random_text(random, "abcdefgh\n", 3_000_000));
    for (const library of libraries) {
        const [copied, shown] = [0, 1].map(() => new library.SeenSet().lines());
        const parts = [];
        const take = (kept) => {
            assert.ok(kept.byteOffset > 0, "it is a copy");
            parts.push(Buffer.from(kept)); /* which copies */
        };
        shown.pushTo(bytes, take);
        shown.endTo(take);
        assert.ok(parts.length > 3);
        const expected = [copied.push(bytes), copied.end()];
        assert.ok(Buffer.concat(parts).equals(Buffer.concat(expected)));
        assert.deepEqual(shown.counts, copied.counts);
        assert.throws(() => shown.pushTo(bytes_of("new one\n"), () => {
            throw new Error("planted");
        }), /planted/);
    }
});

/* What one shows may be what another takes, even as that one's set grows. */
test("lines_that_are_shown_are_taken_whole", () => {
    const [library] = libraries;
    const many = Array.from({length: 400_000}, (_, i) => `k${i}\n`).join("");
    const bytes = bytes_of(`h\n"${many}"\n`); /* a record of 3 MB */
    const outer = new library.SeenSet().lines({csvColumn: 1});
    const inner = new library.SeenSet({capacity: 1000, fpRate: 1e-9}).lines();
    let taken = 0;
    const take = (kept) => {
        taken += kept.length;
    };
    outer.pushTo(bytes, (kept) => inner.pushTo(kept, take));
    outer.endTo((kept) => inner.pushTo(kept, take));
    inner.endTo(take);
    assert.equal(taken, bytes.length);
});

/* If a file is cut while it is read, browsers end its stream without an error. */
test("file_that_is_cut_while_it_is_read_is_an_error", async () => {
    class Cut extends Blob {
        size = 5;
    }
    const read_all = async (file) => {
        const reader = await openFile(file, () => {});
        while (!(await reader.read()).done);
    };
    await read_all(new Blob(["a\nb\n"]));
    await assert.rejects(read_all(new Cut(["a\nb\n"])),
                         {errorName: "NotReadableError"});
});

test("lines_before_an_error_are_shown", () => {
    const [library] = libraries;
    const lines = new library.SeenSet({capacity: 2, onFull: "refuse"}).lines();
    let kept = "";
    assert.throws(() => lines.pushTo(bytes_of("a\nb\nc\n"), (some) => {
        kept += Buffer.from(some);
    }), {errorName: "SEENSET_EFULL"});
    assert.equal(kept, "a\nb\n");
});

test("line_of_over_64_mib_is_refused_and_of_63_is_not", () => {
    const [library] = libraries;
    const lines = new library.SeenSet().lines();
    const piece = new Uint8Array(1 << 20).fill(97);
    for (let i = 0; i < 63; i++)
        assert.equal(lines.push(piece).length, 0);
    assert.equal(lines.push(bytes_of("\n")).length, 63 * piece.length + 1);
    assert.throws(() => {
        for (let i = 0; i < 65; i++)
            lines.push(piece);
    }, {errorName: "SEENSET_ETOOBIG"});
});

test("lines_are_those_of_the_command", () => {
    const random = random_from(3);
    const text = random_text(random, "abcd\n\r\0", 200000);
    const native = seenset_bytes(["dedup", "-p", "1e-9"], bytes_of(text));
    for (const library of libraries)
        assert.equal(fast_kept(library, text, {}, random).kept,
                     native.toString("latin1"));
});
