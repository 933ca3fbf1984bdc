/* Numbers are the command's, whatever language the browser speaks: German
 * writes 1.000,5 for 1,000.5, and Turkish has another upper case of i. The page
 * shows the same numbers in each, and reads the same ones; where it has no
 * texts of the language, all of it is the same. */
import assert from "node:assert/strict";
import {seenset, test} from "../harness.mjs";
import {panels, ready, show, whole} from "../support/panels.mjs";

const locales = ["en-US", "de-DE", "ru-RU", "zh-CN", "ja-JP", "tr-TR"];
/** Those that the page has no texts of. */
const others = ["en-US", "tr-TR"];

/** What is written, and what `seenset plan` makes of it. */
const sizings = [
    {n: "1.5M", p: "0.1%"},
    {n: "1,000,000", p: "1/1000"},
    {n: "64Ki", p: "1e-6"},
    {n: "2_000_000", p: "1e-9"},
    {m: "64MiB", p: "1%"},
    {n: "10Mi", m: "18MB"},
];
/** What is refused, with its reason. */
const refused = ["1,5", "1.000.000", "2B", "1.5 Million"];

const input = (page, name) => page.locator(`#size input[name="${name}"]`);

async function fill(page, given) {
    for (const name of ["n", "p", "m", "k"])
        await input(page, name).fill(given[name] ?? "");
}

/** The memory of the layout bloom, and the rate, as the command prints them. */
function planned(given) {
    const words = Object.entries(given).flatMap(([name, value]) =>
        [`-${name}`, value]);
    const text = seenset("plan", "--layout", "bloom", ...words);
    const value = (label) => text.split("\n").find((line) =>
        line.startsWith(label)).slice(label.length).trim();
    return {memory: value("size (m)"), rate: value("expected rate (p)")};
}

async function shown(page) {
    const cell = (name) => page.locator(
        `#size tr[data-layout="bloom"] td[data-cell="${name}"]`).textContent();
    return {memory: await cell("memory"), rate: await cell("rate")};
}

/** All that is to be read in the panels, as far as no chance is in it. */
async function read_all(page) {
    const read = {};
    for (const panel of panels) {
        await show(page, panel);
        await whole(page, panel);
        read[panel] = await page.locator(`#${panel}`).innerText();
    }
    return read;
}

const texts = {};

for (const locale of locales) {
    const sized = {locale, path: "/#size"};

    test(`numbers_are_the_commands_in_${locale}`, sized, async ({page}) => {
        await ready(page, "size");
        assert.equal(await page.evaluate(() => navigator.language), locale);
        for (const given of sizings) {
            await fill(page, given);
            const [here, there] = [await shown(page), planned(given)];
            if (!others.includes(locale)) /* 0.01 (1 von 100) */
                for (const one of [here, there])
                    one.rate = one.rate.replace(/ \(.*/, "");
            assert.deepEqual(here, there, JSON.stringify(given));
        }
    });

    test(`mistakes_are_refused_in_${locale}`, sized, async ({page}) => {
        await ready(page, "size");
        for (const text of refused) {
            await input(page, "n").fill(text);
            assert.equal(await input(page, "n").getAttribute("aria-invalid"),
                         "true", text);
        }
    });

    if (!others.includes(locale))
        continue;
    test(`texts_are_the_same_in_${locale}`, sized, async ({page}) => {
        await ready(page, "size");
        texts[locale] = await read_all(page);
        assert.deepEqual(texts[locale], texts["en-US"]);
    });
}

/* The planted fault: a number by the browser's own rules is another one. */
test("a_number_of_the_locale_is_noticed", {locale: "tr-TR", path: "/#size"},
     async ({page}) => {
    await ready(page, "size");
    assert.equal(await page.evaluate(() => (59226.5).toLocaleString()),
                 "59.226,5");
    await show(page, "use");
    await page.locator("#use p").first().evaluate((element) => {
        element.textContent += (59226).toLocaleString();
    });
    const read = await page.locator("#use").innerText();
    assert.notEqual(read, texts["en-US"].use);
});
