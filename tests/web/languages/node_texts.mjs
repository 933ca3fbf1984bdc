/* The texts of each language: the same keys, {names} and large numbers as in
 * English, none empty, none left in English, and each in the letters of its
 * language. */
import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import path from "node:path";
import {test} from "node:test";
import {pathToFileURL} from "node:url";
import {source} from "../support/places.mjs";

const {parsers} = await import(pathToFileURL(
    path.join(source, "fronts/web/page/ui/parse.mjs")));

const folder = path.join(source, "fronts/web/page/text");
const languages = readdirSync(folder).filter((name) => name !== "en");

/** A letter that a text of the language has. */
const letters = {de: /\p{Script=Latin}/u,
                 ja: /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u,
                 ru: /\p{Script=Cyrillic}/u, zh: /\p{Script=Han}/u};
/** A letter that it has not. */
const strange = {de: /[^\P{L}\p{Script=Latin}]/u,
                 ja: /\p{Script=Cyrillic}/u,
                 ru: /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u,
                 zh: /[\p{sc=Hira}\p{sc=Kana}\p{sc=Cyrillic}]/u};

/** Names, formulas, and what is typed: they are the same in each language. */
const same = new RegExp(`^(${[
    "size\\.layout\\.\\w+\\.name", "size\\.field\\.[npm]\\.hint",
    "size\\.lines\\.(c|python|javascript|redis|duckdb)\\.title",
    "size\\.column\\.layout", "size\\.past\\.times", "fill\\.formulas\\.\\w+_(is|here)",
    "see\\.how\\.chain", "kinds\\.hash\\.(murmur.*|fnv1a|city)",
    "kinds\\.how\\.(murmur2a|fnv1a|double|city)",
    "use\\.(ask_example|paste_example|pasted_name|file_packed)",
    "shell\\.quoted",
    "shell\\.engine_plain"].join("|")})$`);
/** What has no words is not to be translated. */
const has_words = (text) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, ""));

function* flat(texts, before) {
    for (const [key, value] of Object.entries(texts))
        if (typeof value === "string")
            yield [`${before}.${key}`, value];
        else
            yield* flat(value, `${before}.${key}`);
}

/** All texts of a language: [scope.key, text]. */
const read = (language) => new Map(readdirSync(path.join(folder, language))
    .flatMap((file) => [...flat(JSON.parse(readFileSync(
        path.join(folder, language, file), "utf8")),
                                path.basename(file, ".json"))]));

const names = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join(" ");

/** Numbers as the command writes them, 1,000 and 0.5, and as others may: those
 * of four digits or more, and those with decimals. */
const numbers = (text) => (text.match(
    /\d{1,3}(?:[,.\s]\d{3})+|\d{4,}|\d+[.,]\d+/g) ?? []).sort().join(" ");

/** What is wrong with a text, or "". */
function fault(key, english, text, language) {
    if (text === undefined)
        return "missing";
    if (text.trim() === "")
        return "empty";
    if (names(english) !== names(text))
        return `has ${names(text)} for ${names(english)}`;
    if (numbers(english) !== numbers(text))
        return `has ${numbers(text)} for ${numbers(english)}`;
    if (same.test(key) || !has_words(english))
        return "";
    if (text === english)
        return "in English";
    return has_words(text) &&
        (!letters[language].test(text) || strange[language].test(text))
        ? "not in the letters of its language" : "";
}

function faults(english, texts, language) {
    const more = [...texts.keys()].filter((key) => !english.has(key))
        .map((key) => `${key}: not in English`);
    return [...more, ...[...english].map(([key, text]) =>
        `${key}: ${fault(key, text, texts.get(key), language)}`)
        .filter((line) => !line.endsWith(": "))];
}

const english = read("en");

test("texts_are_in_five_languages", () => {
    assert.deepEqual(languages, Object.keys(letters));
    assert.ok(english.size > 500, `${english.size} texts`);
});

for (const language of languages)
    test(`texts_are_whole_in_${language}`, () => {
        assert.deepEqual(faults(english, read(language), language), []);
    });

/* Each kind of fault, planted in a good language. */
for (const [name, plant, found] of [
    ["missing", (texts) => texts.delete("see.add"), "see.add: missing"],
    ["empty", (texts) => texts.set("see.add", " "), "see.add: empty"],
    ["more", (texts) => texts.set("see.more", "mehr"),
     "see.more: not in English"],
    ["name", (texts) => texts.set("see.shown", "Gezeigt: {Art}."),
     "see.shown: has {Art} for {kind}"],
    ["number", (texts) => texts.set("use.sample", "Mit 1 000 URLs"),
     "use.sample: has 1 000 for 1,000"],
    ["english", (texts) => texts.set("see.add", "Add"), "see.add: in English"],
    ["letters", (texts) => texts.set("see.add", "Добавить"),
     "see.add: not in the letters of its language"]])
    test(`texts_fault_is_found_${name}`, () => {
        const texts = read("de");
        plant(texts);
        assert.deepEqual(faults(english, texts, "de"), [found]);
    });

/* A filter says what it calls seen, which may not have been added: so that is
 * what the documents are asked. */
const seen = {en: /\bseen\b/, de: /gesehen/, ja: /既出/, ru: /встречалось/,
              zh: /见过/};

for (const [language, word] of Object.entries(seen))
    test(`questions_are_of_what_is_seen_in_${language}`, () => {
        const texts = read(language);
        for (const name of ["own_absent", "own_wrong", "wrong", "all_ones"])
            assert.match(texts.get(`documents.number.${name}`), word);
    });

for (const language of ["en", ...languages])
    test(`fields_take_the_words_of_numbers_in_${language}`, () => {
        const texts = read(language);
        const text = (name) => texts.get(`shell.${name}`);
        const {plain, bits} = parsers(text);
        for (const [name, letter] of [["thousand", "k"], ["million", "M"],
            ["billion", "G"], ["trillion", "T"], ["bytes", "B"]])
            assert.equal(plain(`2 ${text(`number.${name}`)}`), `2${letter}`);
        assert.deepEqual(bits(text("number.byte")), {value: 8, exact: 8n});
    });

/* What index.html names. */
test("page_names_texts_that_are_there", () => {
    const page = readFileSync(path.join(folder, "../index.html"), "utf8");
    const named = [...page.matchAll(/data-(?:text|label)="([^"]+)"/g)]
        .map(([, key]) => key);
    assert.ok(named.length > 5);
    assert.deepEqual(named.filter((key) => !english.has(key)), []);
});
