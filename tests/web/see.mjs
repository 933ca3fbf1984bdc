/* The panel "See it": its bits are the command's bits, its places those of the
 * library, and what it says of a word is true, since the test knows the words
 * too. Every control is used as a person would. */
import assert from "node:assert/strict";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {at_end, check_axe, seenset, seenset_bytes, settle, shot, source,
        test as page_test} from "./harness.mjs";
import {whole} from "./support/panels.mjs";

const part = (name) => import(pathToFileURL(
    path.join(source, "fronts/web/page/see", name)));
const {word, stranger, STRANGERS} = await part("words.mjs");
const first_words = ["Elephant", "Hokkey", "Okorok", "Zigmund"];

const folder = mkdtempSync(path.join(tmpdir(), "seenset-see-"));
at_end(() => rmSync(folder, {recursive: true}));

/* ---- what the command says ---- */

const lines = (words) => words.map((one) => `${one}\n`).join("");
const words_to = (count) => Array.from({length: count}, (_, i) => word(i + 1));
let made = 0;

/** A set file of these words. */
function native_set(options, words) {
    const file = path.join(folder, `set-${++made}`);
    seenset("new", ...options, file);
    if (words.length > 0)
        seenset_bytes(["add", file], lines(words));
    return file;
}

const info = (file) => JSON.parse(seenset("info", "--json", file));
const bits_of = (file) => seenset("info", "--bits", file).trim();

/** How many words that were never added the command has seen. */
function native_wrong(file) {
    const strangers = Array.from({length: STRANGERS}, (_, i) => stranger(i));
    try {
        return seenset_bytes(["has", file], lines(strangers)).toString()
            .split("\n").length - 1;
    } catch (error) {
        assert.equal(error.status, 1); /* none */
        return 0;
    }
}

/* ---- what a person does ---- */

/** A test of the panel with all of its cards. */
const test = (name, options, drive) => page_test(name, options,
    async (opened) => {
        if (options.path !== null)
            await whole(opened.page, "see");
        await drive(opened);
    });

const see = (page) => page.locator("#see");
const field = (page) => page.getByRole("textbox", {name: "A word"});
const button = (page, name) => see(page).getByRole("button",
    {name, exact: true});
const answer = (page) => see(page).locator(".see-answer").innerText();
const reason = (page) => see(page).locator(".see-verdict > p").innerText();
const idle = (page) => page.locator("#see:not([aria-busy])").waitFor();

/** Another kind, once what is said of it is loaded. */
async function kind(page, name) {
    await page.getByRole("radio", {name}).check();
    await idle(page);
}

/** Another example, once what it needs is loaded. */
async function example(page, id) {
    await page.getByLabel("What to look at").selectOption(id);
    await idle(page);
}

/** Presses a button that adds many, and waits until it is done. */
async function press_and_wait(page, name) {
    await button(page, name).click();
    await see(page).locator("[data-do=stop]:disabled").waitFor();
    await see(page).locator("[data-do=one]:enabled").waitFor();
}

/** Places by the table of the verdict, ascending and without repeats. */
async function places(page) {
    const cells = await see(page).locator(".see-places tbody th")
        .allInnerTexts();
    return [...new Set(cells.map((text) => Number(text.replaceAll(",", ""))))]
        .sort((a, b) => a - b);
}

/** The picture as text, without the numbers of the rows. */
async function picture(page, between = "") {
    const details = see(page).locator("details.see-details");
    if (await details.getAttribute("open") === null)
        await details.locator("summary").click();
    await details.locator("pre:not(:empty)").waitFor(); /* a later event's */
    const text = await details.locator("pre").innerText();
    return text.split("\n").filter((line) => line !== "")
        .map((line) => line.slice(7).trim().split(/\s+/).join(between))
        .join(between);
}

/** The figures beneath "Add many": {words: [title, measured, formula], ...}. */
async function figures(page) {
    const found = {};
    for (const row of await see(page).locator("tr[data-figure]").all())
        found[await row.getAttribute("data-figure")] =
            [await row.locator("th").innerText(),
             ...await row.locator("td").allInnerTexts()];
    return found;
}

const number = (text) => Number(text.replace(/[,%\s]/g, ""));

/* ---- bits ---- */

const usual = "/#see?m=512&k=7";
const layouts = {Classic: ["bloom", "-m", "512b", "-k", "7"],
                 Blocked: ["blocked", "-m", "512b", "-k", "8"],
                 "Split blocks": ["split_block", "-m", "512b"],
                 Counting: ["counting", "-m", "512b", "-k", "7"]};

test("see_draws_the_bits_of_the_command", {path: usual}, async ({page}) => {
    await press_and_wait(page, "Add 10");
    await press_and_wait(page, "Add 1");
    const words = [...first_words, ...words_to(11)];
    for (const [name, options] of Object.entries(layouts)) {
        await kind(page, name);
        const file = native_set(["--layout", ...options], words);
        const is_counting = name === "Counting";
        const shown = await picture(page, is_counting ? " " : "");
        assert.equal(shown, is_counting
            ? seenset("info", "--counters", file).trim().split(/\s+/).join(" ")
            : bits_of(file), name);
    }
    const file = native_set(["--layout", ...layouts.Classic], [
        ...first_words, ...words_to(10)]);
    assert.notEqual(await picture(page), bits_of(file), "one word less");
});

test("see_measures_what_the_command_does", {path: "/#see?m=4096&k=7"},
     async ({page}) => {
    await press_and_wait(page, "Add 1,000 random words");
    const file = native_set(["--layout", "bloom", "-m", "4096b", "-k", "7"],
                            [...first_words, ...words_to(1000)]);
    const native = info(file), found = await figures(page);
    assert.equal(found.words[1], "1,004");
    assert.equal(number(found.estimate[2]), Math.round(native.estimated_items));
    assert.equal(found.fill[1], `${(100 * native.fill).toFixed(2)} %`);
    assert.equal(found.bits[2],
                 `${(100 * native.current_fp_rate).toFixed(2)} %`);
    const wrong = native_wrong(file);
    assert.match(found.rate[0],
                 new RegExp(`\\(${wrong.toLocaleString("en-US")} of 20,000`));
    assert.equal(found.wrong[2], native.wrong_items.toFixed(1));
    /* A thousand words past the size meet the formula: no more than chance. */
    const [measured, formula] = found.rate.slice(1).map(number);
    assert.ok(Math.abs(measured / formula - 1) < 0.15, found.rate.join());
    const [fill, said] = found.fill.slice(1).map(number);
    assert.ok(Math.abs(fill - said) < 3, found.fill.join());
    const plan = JSON.parse(seenset("plan", "--json", "--layout=bloom", "-n",
                                    "1004", "-m", "4096b", "-k", "7"));
    /* The planner takes a little more than the mean, never less. */
    const planned = 100 * plan.plans[0].expected_fp_rate;
    assert.ok(formula <= planned + 0.005 && formula > 0.999 * planned - 0.005,
              `${formula} ${planned}`);
    await page.getByLabel("By powers of ten").check();
    await shot(page, "see-thousand");
});

test("see_fills_until_every_bit_is_1", {path: "/#see?m=64&k=3"},
     async ({page}) => {
    await press_and_wait(page, "Fill until every bit is 1");
    const found = await figures(page);
    assert.equal(found.fill[1], "100.00 %");
    assert.match(found.rate[0], /20,000 of 20,000/);
    assert.equal(await picture(page), "1".repeat(64));
    await field(page).fill("never added");
    assert.equal(await answer(page), "Seen, and wrong");
    await button(page, "Empty it").click();
    assert.equal(await picture(page), "0".repeat(64));
    assert.equal(await answer(page), "Never seen");
});

/* ---- a word ---- */

test("see_says_why", {path: usual}, async ({page}) => {
    await field(page).fill("Giraffe");
    assert.equal(await answer(page), "Never seen");
    const alone = native_set(["--layout", ...layouts.Classic], ["Giraffe"]);
    const wanted = [...bits_of(alone)].flatMap((bit, i) =>
        bit === "1" ? [i] : []);
    assert.deepEqual(await places(page), wanted);
    await field(page).press("Enter");
    assert.equal(await answer(page), "New: it was added");
    assert.match(await reason(page), /places were 0 and are/);
    await button(page, "Ask").click();
    assert.equal(await answer(page), "Seen");
    await button(page, "Add").click();
    assert.equal(await answer(page), "Seen before");
    assert.match(await reason(page), /word 5 of those/);
    await press_and_wait(page, "Add 10");
    for (let i = 0; i < 4; i++)
        await press_and_wait(page, "Add 10");
    await button(page, "Find a false positive").click();
    assert.equal(await answer(page), "Seen, and wrong");
    assert.match(await reason(page), /each of its 7 places was set by others/);
    const wrong = await field(page).inputValue();
    const file = native_set(["--layout", ...layouts.Classic],
                            [...first_words, "Giraffe", ...words_to(50)]);
    assert.equal(seenset("has", file, wrong), `${wrong}\n`);
    await button(page, "Add").click();
    assert.equal(await answer(page), "Called seen, and wrong");
    const {wrong: [, counted]} = await figures(page);
    assert.ok(Number(counted) >= 1, counted);
});

/* At the defaults each button does what it says, and its answer is where the
 * eye is. */
test("see_finds_a_false_positive_at_once",
     {path: "/#see", viewport: {width: 375, height: 812}}, async ({page}) => {
    const verdict = see(page).locator(".see-verdict");
    await button(page, "Find a false positive").click();
    assert.equal(await answer(page), "Seen, and wrong");
    assert.match(await reason(page), /^It was never added, but each of its/);
    const wrong = await field(page).inputValue();
    const file = native_set(["--layout", "bloom", "-m", "256b", "-k", "3"],
                            first_words);
    assert.equal(seenset("has", file, wrong), `${wrong}\n`);
    const seen = await verdict.evaluate((element) => {
        const {top, bottom} = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight + 1;
    });
    assert.ok(seen, "the verdict is not on the screen");
    await shot(page, "see-found");
});

test("see_adds_words_until_there_is_a_false_positive", {path: usual},
     async ({page}) => {
    await button(page, "Find a false positive").click();
    assert.equal(await answer(page), "Seen, and wrong");
    const [, added] = /^The set was too empty for one, so (\d+) random words/
        .exec(await reason(page));
    const {words: [, count]} = await figures(page);
    assert.equal(Number(count), 4 + Number(added));
    const wrong = await field(page).inputValue();
    assert.equal(seenset("has", native_set(["--layout", ...layouts.Classic],
        [...first_words, ...words_to(Number(added))]), wrong), `${wrong}\n`);
});

test("see_fills_half_and_writes_the_formulas_out", {path: "/#see"},
     async ({page}) => {
    await press_and_wait(page, "Fill half of the bits");
    const found = await figures(page);
    const fill = number(found.fill[1]);
    assert.ok(fill >= 50 && fill < 60, found.fill.join());
    assert.ok(await button(page, "Fill half of the bits").isDisabled());
    assert.ok(await button(page, "Add 1,000 random words").isHidden());
    const formula = (name) => see(page).locator(`[data-formula=${name}] dd`)
        .innerText();
    const n = Number(found.words[1]);
    assert.equal(await formula("fill"), "1 − (1 − 1/m)^(k n) = 1 − (1 − 1/256)" +
        `^(3 × ${n}) = ${(100 * (1 - (1 - 1 / 256) ** (3 * n))).toPrecision(4)
            .replace(/0+$/, "")} %`);
    assert.match(await formula("rate"), new RegExp(`\\^3 = ${
        Math.floor(number(found.rate[2]))}`));
    assert.match(await formula("best"), new RegExp(`= ${
        (256 / n * Math.LN2).toPrecision(4).replace(/0+$/, "")}$`));
    await shot(page, "see-half");
    await press_and_wait(page, "Fill until every bit is 1");
    assert.equal((await figures(page)).estimate[2], "unknown");
    assert.match((await figures(page)).wrong[2], /^unknown, at least \d+/);
    await page.getByText("the number may fall as more is added").waitFor();
});

test("see_goes_from_the_hash_to_a_place_step_by_step", {path: "/#see"},
     async ({page}) => {
    const steps = see(page).locator(".see-walk");
    await steps.locator("summary").click();
    const wanted = (await see(page).locator(".see-places tbody th")
        .allInnerTexts()).map(Number);
    const walked = [];
    for (let i = 0; i < 3; i++) {
        const said = await steps.locator("li").allInnerTexts();
        const [, part, product, place] =
            /: ([\d.]+) × 256 = ([\d.]+), so the place is (\d+)\.$/
                .exec(said[2]);
        assert.ok(Math.abs(part * 256 - product) < 0.01);
        assert.equal(Math.floor(Number(product)), Number(place));
        walked.push(Number(place));
        assert.equal(await page.getByLabel("Look at place").inputValue(),
                     place);
        if (i < 2)
            await button(page, "Next place").click();
    }
    assert.deepEqual(walked, wanted);
    assert.ok(await button(page, "Next place").isDisabled());
    await check_axe(page);
});

test("see_looks_at_a_place", {path: "/#see?show=a1"}, async ({page}) => {
    const place = page.getByLabel("Look at place");
    const told = see(page).locator(".see-told");
    await place.fill("4");
    assert.match(await told.innerText(), /Place 4 is 1: set by “Elephant”/);
    await place.fill("3");
    assert.match(await told.innerText(), /Place 3 is 0/);
    await place.fill("16");
    assert.match(await told.innerText(), /0 to 15/);
    await see(page).locator(".see-picture canvas").click(
        {position: {x: 44 + 10, y: 10}});
    assert.equal(await place.inputValue(), "0");
    assert.match(await told.innerText(), /set by “Hokkey”/);
    const label = await see(page).locator(".see-picture canvas")
        .getAttribute("aria-label");
    assert.match(label, /16 bits, 3 of them 1 .* “Borscht” has the places 4, 14/);
});

/* ---- five documents ---- */

const by_document = {
    a1: {word: "Borscht", says: "Seen, and wrong",
         why: /each of its 2 places .* “Elephant” and “Hokkey”/,
         hashes: ["3102191668", "3651961310"], places: [4, 14]},
    a2: {word: "Holland", says: "Seen", hashes: ["1231707688", "1019300985"],
         places: [3193, 7720]},
    b: {word: "https://www.rust-lang.org/", says: "Seen",
        places: [383589, 562751, 4369231, 4548393, 4727555, 6162167, 8534035]},
    c: {word: "hello", says: "Seen", hashes: ["80976"],
        places: [80976, 290506, 1671462, 3212008, 20460536, 32053458,
                 32408496]},
    c_java: {example: "c", word: "中文", says: "Never seen",
             hashes: ["126056"], places: [126056, 166082, 246134, 286160,
                                          646394, 766472, 1246784]},
    d1: {word: "Kokoro", says: "Seen", places: [0, 9, 14]},
    d2: {word: "a", says: "Never seen", places: [38, 53, 81]},
    e: {word: "http://example.com/", says: "Seen",
        hashes: ["0bc87d1de9f3cd7b"]},
};

test("see_has_the_numbers_of_five_documents", {path: "/#see"},
     async ({page}) => {
    for (const [id, wanted] of Object.entries(by_document)) {
        await example(page, wanted.example ?? id);
        await field(page).fill(wanted.word);
        assert.equal(await answer(page), wanted.says, id);
        if (wanted.why)
            assert.match(await reason(page), wanted.why);
        if (wanted.places)
            assert.deepEqual(await places(page), wanted.places, id);
        if (wanted.hashes)
            assert.deepEqual(await see(page).locator(".see-hashes dd")
                .allInnerTexts(), wanted.hashes, id);
        const rows = see(page).locator(".see-numbers tbody tr");
        assert.ok(await rows.count() >= 5, id);
        assert.equal(await see(page).locator(
            "tr[data-sameness=differs]").count(), 0, id);
        const same = await see(page).locator("tr[data-sameness=same]").count();
        assert.ok(same >= 3, `${id}: ${same}`);
        await shot(page, `see-${id}`);
    }
});

test("see_shows_that_bits_cannot_be_taken_out", {path: "/#see?show=d1"},
     async ({page}) => {
    assert.equal(await answer(page), "Seen");
    await button(page, "Clear its bits").click();
    assert.match(await reason(page), /forgotten too: “Kokoro” and “Rashomon”/);
    assert.equal(await picture(page), "1000110000000010");
    await see(page).locator(".see-chip", {hasText: "Kokoro"}).first().click();
    assert.equal(await answer(page), "Forgotten");
});

test("see_counts_copies_and_takes_them_out", {path: "/#see?show=d2"},
     async ({page}) => {
    const counters = async () => (await picture(page, " ")).split(" ");
    assert.equal((await counters())[30], "1");
    await button(page, "Add").click();
    assert.match(await reason(page), /for 2 copies/);
    assert.equal((await counters())[30], "2");
    await button(page, "Take out").click();
    assert.match(await reason(page), /Left: 1/);
    await button(page, "Take out").click();
    assert.equal(await answer(page), "Taken out");
    const file = native_set(["--layout", "counting", "-m", "100b", "-k", "3",
                             "--scheme", "md5-divmod"], [..."0123456789"]);
    seenset("remove", file, "3");
    assert.equal(await picture(page, " "), seenset("info", "--counters", file)
        .trim().split(/\s+/).join(" "));
    await button(page, "Take out").click();
    assert.equal(await answer(page), "It was not in the set");
    await see(page).locator(".see-chip", {hasText: "57"}).click();
    assert.equal(await answer(page), "Seen, and wrong");
    await button(page, "Take out").click();
    assert.match(await reason(page), /forgotten now: “5” and “9”/);
});

test("see_fills_a_weak_hash", {path: "/#see?show=c"}, async ({page}) => {
    await page.getByText(/^1 word: /).waitFor();
    await press_and_wait(page, "Add 1,000,000 URLs");
    const found = await figures(page);
    assert.equal(found.words[1], "1,000,001");
    assert.equal(found.estimate[2], "743,768"); /* docs/guide.md, and "hello" */
    assert.deepEqual(found.wrong.slice(1), ["15", "1.1"]);
    assert.match(await see(page).innerText(), /not spread as those of a good/);
    await field(page).fill("http://www.example.com/999999.html");
    assert.equal(await answer(page), "Seen");
    await field(page).fill("http://www.example.com/1000000.html");
    assert.equal(await answer(page), "Never seen");
    await shot(page, "see-weak");
});

/* ---- kinds ---- */

test("see_compares_seven_kinds", {path: "/#see?m=4096&k=7"}, async ({page}) => {
    const card = (name) => see(page).locator(`[data-kind=${name}]`);
    const said = (name) => card(name).locator(".see-card-answer").innerText();
    const kinds = ["bloom", "blocked", "split_block", "counting",
                   "fingerprint", "sealed", "window"];
    for (const name of kinds)
        assert.equal(await said(name), "Seen", name);
    await field(page).fill("later");
    await field(page).press("Enter");
    assert.equal(await said("sealed"), "Not in it");
    assert.match(await card("sealed").innerText(), /1 words? came after/);
    await page.getByRole("button", {name: "Show large: Sealed"}).click();
    await idle(page);
    assert.equal(await answer(page), "Not in it");
    await button(page, "Seal again").click();
    assert.equal(await answer(page), "Seen");
    assert.match(await reason(page), /XOR of its slots is [0-9A-F]{2}/);
    await press_and_wait(page, "Add 1,000 random words");
    await field(page).fill("later");
    for (const name of kinds.slice(0, 6))
        assert.equal(await said(name), "Seen", name);
    assert.equal(await said("window"), "Forgotten, as a window does");
    await kind(page, "Window");
    assert.equal(await answer(page), "Forgotten, as a window does");
    const last = word(1000);
    await field(page).fill(last);
    assert.equal(await answer(page), "Seen");
    await shot(page, "see-kinds");
});

/* A text that is not there shows its name. */
test("see_has_a_text_for_all_that_each_kind_says", {path: "/#see?m=64"},
     async ({page}) => {
    for (const name of ["Classic", "Blocked", "Split blocks", "Counting",
                        "Fingerprints", "Sealed", "Window"]) {
        await kind(page, name);
        for (const [act, key] of [["Ask", "ant"], ["Add", "ant"],
            ["Add", "ant"], ["Ask", "ant"], ["Take out", "ant"],
            ["Take out", "ant"], ["Take out", "ant"], ["Ask", "ant"],
            ["Add 10", "bee"], ["Seal again", "bee"], ["Ask", "bee"],
            ["Find a false positive"], ["Take out"], ["Clear its bits"]]) {
            if (!await button(page, act).isVisible())
                continue;
            if (key)
                await field(page).fill(key);
            if (act.startsWith("Add "))
                await press_and_wait(page, act);
            else
                await button(page, act).click();
            const shown = await see(page).innerText();
            assert.doesNotMatch(shown, /\b(see|kinds|fill)\.[a-z]|\{\w+\}/,
                                `${name}: ${act}`);
        }
    }
    await page.evaluate(() => { /* planted: a name */
        document.querySelector("#see .see-caption").textContent =
            "see.caption.none";
    });
    assert.match(await see(page).innerText(), /\bsee\.[a-z]/);
});

test("see_keeps_fingerprints_and_takes_them_out", {path: "/#see?m=512"},
     async ({page}) => {
    const slots = async () => (await picture(page, " ")).split(" ")
        .filter((slot) => slot !== ".").length;
    const words = [...first_words];
    const native = () => native_set(["--layout", "fingerprint", "-m", "512b",
        "-k", "8", "--on-full", "degrade"], words);
    await kind(page, "Fingerprints");
    assert.equal(await slots(), 4);
    await field(page).fill("Giraffe");
    assert.equal(await answer(page), "Never seen");
    assert.match(await reason(page), /^Its unit, \d,/);
    await field(page).press("Enter");
    words.push("Giraffe");
    assert.match(await reason(page), /fingerprint, [0-7][0-9A-F], is in unit/);
    assert.match(await see(page).locator(".see-places").innerText(),
                 /stored now/);
    await button(page, "Add").click();
    assert.match(await reason(page), /once more, for 2 copies/);
    assert.equal(await slots(), 6);
    await button(page, "Take out").click();
    assert.match(await reason(page), /Left: 1/);
    await press_and_wait(page, "Add 10");
    words.push(...words_to(10));
    await check_axe(page);
    await button(page, "Find a false positive").click();
    assert.equal(await answer(page), "Seen, and wrong");
    const added = /so (\d+) random words/.exec(await reason(page));
    if (added !== null)
        words.push(...words_to(10 + Number(added[1])).slice(10));
    const wrong = await field(page).inputValue();
    assert.equal(seenset("has", native(), wrong), `${wrong}\n`);
    const [, owner] = /the same fingerprint, [0-7][0-9A-F], of “(\w+)”/
        .exec(await reason(page));
    assert.ok(words.includes(owner), owner);
    const {rate, fill} = await figures(page);
    assert.ok(rate.slice(1).map(number).every((part) => part > 0), rate.join());
    assert.match(fill[0], /^Slots in use/);
    const place = await see(page).locator(".see-places tbody tr",
        {hasText: `of “${owner}”`}).locator("th").first().innerText();
    await page.getByLabel("Look at place").fill(place);
    assert.match(await see(page).locator(".see-told").innerText(),
                 new RegExp(`the fingerprint of “${owner}”`));
    await shot(page, "see-fingerprints");
    await button(page, "Take out").click();
    assert.equal(await answer(page), "Others are damaged");
    assert.match(await reason(page), new RegExp(`now: .*“${owner}”`));
});

/* ---- for everyone ---- */

test("see_works_by_keyboard", {path: "/#see"},
     async ({page}) => {
    await page.getByRole("radio", {name: "Classic"}).focus();
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.getByRole("radio", {name: "Blocked"}).isChecked());
    await idle(page);
    await page.getByLabel("Size").selectOption("1024");
    await field(page).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("walrus");
    await page.keyboard.press("Enter");
    assert.equal(await answer(page), "New: it was added");
    await page.waitForFunction(() => document.getElementById("announcer")
        .textContent.startsWith("New: it was added"));
    assert.equal(new URL(page.url()).hash,
                 "#see?kind=blocked&m=1024&word=walrus");
});

test("see_is_what_the_address_says",
     {path: "/#see?kind=blocked&m=1024&word=walrus"}, async ({page}) => {
    await field(page).waitFor();
    assert.equal(await field(page).inputValue(), "walrus");
    assert.equal(await page.getByLabel("Size").inputValue(), "1024");
    assert.ok(await page.getByRole("radio", {name: "Blocked"}).isChecked());
    assert.equal(await answer(page), "Never seen");
    await page.evaluate(() => { location.hash = "#see?show=d2&word=57"; });
    await page.waitForFunction(() => document.querySelector(".see-answer")
        .textContent === "Seen, and wrong");
    await page.evaluate(() => { location.hash = "#see?m=7&k=99&kind=x"; });
    await page.waitForFunction(() => document.querySelector(".see-answer")
        .textContent === "Seen");
    assert.equal(await page.getByLabel("Size").inputValue(), "256");
});

/* The first of two choices is still on its way when the second fails. */
test("see_stays_as_it_is_shown_when_the_last_choice_fails", {path: null},
     async ({page, origin, faults}) => {
    await page.goto(`${origin}/#see`);
    await whole(page, "see");
    const shown = () => see(page).locator(".see-choose").innerText();
    const before = await shown();
    const asked = [];
    const held = new Promise((resolve) => page.route("**/documents.json",
        (route) => asked.push(route) === 1 ? resolve() : route.abort()));
    const list = page.getByLabel("What to look at");
    await list.selectOption("a1");
    await held;
    await list.selectOption("b");
    await page.getByRole("alert").filter({hasText: "did not come"}).waitFor();
    const late = page.waitForResponse("**/documents.json");
    await asked[0].continue();
    await (await late).finished();
    await settle(page);
    assert.equal(await list.inputValue(), "own");
    assert.equal(await shown(), before);
    assert.equal(asked.length, 2);
    assert.deepEqual(faults.filter((line) => !/ERR_FAILED/.test(line)), []);
    faults.length = 0; /* the request that was stopped */
});

test("see_is_for_everyone", {path: "/#see"}, async ({page}) => {
    await field(page).waitFor();
    await check_axe(page);
    await example(page, "d2");
    await check_axe(page);
});

/** How many pixels of the picture have each of some colours. */
const coloured = (page, names) => see(page).locator(".see-picture canvas")
    .evaluate((canvas, wanted) => {
        const probe = document.body.appendChild(document.createElement("i"));
        const {data} = canvas.getContext("2d").getImageData(
            0, 0, canvas.width, canvas.height);
        const counts = wanted.map((name) => {
            probe.style.color = name;
            const rgb = getComputedStyle(probe).color.match(/\d+/g)
                .map(Number);
            let count = 0;
            for (let i = 0; i < data.length; i += 4)
                count += data[i + 3] === 255 && rgb.slice(0, 3)
                    .every((value, j) => data[i + j] === value);
            return count;
        });
        probe.remove();
        return counts;
    }, names);

for (const forcedColors of ["none", "active"])
    test(`see_is_drawn_in_colours_that_are_${forcedColors === "active"
        ? "forced" : "its_own"}`, {path: "/#see", context: {forcedColors}},
         async ({page}) => {
        await field(page).waitFor();
        const isForced = forcedColors === "active";
        const [paper, sunk, accent] = await coloured(page,
            ["Canvas", "#f1efe9", "#00706b"]);
        assert.equal(paper > 10_000, isForced, `${paper}`);
        assert.equal(sunk > 10_000, !isForced, `${sunk}`);
        assert.equal(accent > 100, !isForced, `${accent}`);
    });

test("see_fits_a_phone_and_does_not_move",
     {path: "/#see", colorScheme: "dark", viewport: {width: 320, height: 700}},
     async ({page}) => {
    await field(page).waitFor();
    await page.evaluate(() => {
        globalThis.moved = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
                globalThis.moved += entry.value;
        }).observe({type: "layout-shift"});
    });
    await field(page).fill("");
    await field(page).pressSequentially("Okapi");
    await page.waitForTimeout(100);
    assert.ok(await page.evaluate(() => globalThis.moved) < 0.02);
    const [width, height] = await page.evaluate(() =>
        [document.documentElement.scrollWidth,
         document.documentElement.scrollHeight]);
    assert.ok(width <= 320, `${width}`);
    assert.ok(height < 6200, `${height}`);
    /* The last of the cards is a push away. */
    await page.getByRole("button", {name: "Show large: Window"}).focus();
    const left = await see(page).locator("[data-kind=window]").evaluate(
        (card) => card.getBoundingClientRect().left);
    assert.ok(left >= 0 && left < 320, `${left}`);
    await shot(page, "see-phone");
    await check_axe(page);
});
