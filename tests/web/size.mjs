/* The panel "Size it": every figure that it shows is the command's, digit for
 * digit; and what it reads, it reads as the command does. */
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import path from "node:path";
import {check_axe, seenset, shot, test_alone} from "./harness.mjs";
import {check_row, choose, field, figure, fill, in_folder, layouts, native_plan,
        native_row, options_of, shown_rows, test, value_of} from
        "./support/size_panel.mjs";

/* ---- the figures ---- */

const cases = [
    {n: "1M", p: "1%"}, {n: "1G", p: "1%"}, {n: "59,226", p: "1e-9"},
    {n: "10", p: "0.5"}, {n: "64Ki", p: "1/1000"}, {n: "1.5G", p: "0.0001"},
    {m: "18MB", p: "0.01"}, {m: "64MiB"}, {m: "9585058b", p: "1%", k: "7"},
    {n: "1M", m: "1.2MB"}, {n: "1M", m: "10Mbits", k: "3"},
    {n: "1M", p: "1%", k: "4"}, {n: "1M", p: "1%", k: "8"},
    {n: "100k", p: "0.1%", bits: "16"}, {n: "100k", p: "0.1%", bits: "2"},
    {n: "1G", p: "1%", m: "18MB"}, {n: "1M", p: "1e-18"}, {n: "1T", p: "1e-6"},
    {},
];

test("size_figures_are_those_of_plan", {path: "/#size"}, async ({page}) => {
    for (const given of cases) {
        await fill(page, given);
        const shown = await shown_rows(page);
        for (const layout of layouts)
            check_row(layout, shown[layout], native_row(layout, given));
        if (given.bits)
            await page.getByLabel("Bits of a counter").selectOption("4");
    }
    await fill(page, cases[0]);
    await choose(page, "bloom");
    await shot(page, "size");
});

test("size_tells_all_of_the_chosen_layout", {path: "/#size"},
     async ({page}) => {
    for (const layout of layouts) {
        const given = {n: "12345678", p: "1/777"};
        await fill(page, given);
        await choose(page, layout);
        const plan = native_plan(layout, given);
        const grouped = (number) => number.toLocaleString("en-US");
        assert.equal(await figure(page, "m"), grouped(plan.size_bits));
        assert.equal(await figure(page, "bytes"), grouped(plan.size_bytes));
        assert.equal(await field(page, "m").getAttribute("placeholder"),
                     `${plan.size_bits}b`);
        assert.equal(await field(page, "k").getAttribute("placeholder"),
                     String(plan.hash_count));
        const text = seenset("plan", "--layout", layout, "-n", given.n,
                             "-p", given.p);
        if (layout === "bloom")
            assert.equal(await figure(page, "textbook"),
                         value_of(text, "textbook, k not whole"));
        if (layout !== "counting") {
            assert.equal(await figure(page, "floor"),
                         value_of(text, "floor, n log2(1/p)"));
            assert.equal(await page.locator('[data-figure="whole"]')
                .textContent(), value_of(text, "In whole numbers")
                .replace(/^/, "In whole numbers "));
        }
    }
});

test("size_shows_every_width_of_a_counter",
     {path: "/#size?n=1M&p=1%25&layout=counting"}, async ({page}) => {
    const text = seenset("plan", "-n", "1M", "-p", "1%", "--layout",
                         "counting");
    const rows = await page.locator("#size table.widths tbody tr").all();
    const printed = text.split("one is full, at most\n")[1].trim().split("\n");
    assert.equal(rows.length, printed.length);
    for (const [i, row] of rows.entries())
        assert.deepEqual(await row.locator("td").allTextContents(),
                         printed[i].trim().split(/ {2,}/));
});

test_alone("size_checker_sees_a_wrong_digit", () => {
    const right = native_row("bloom", {n: "1M", p: "1%"});
    check_row("bloom", right, right);
    assert.throws(() => check_row("bloom", {...right, memory: "1.198 MB"},
                                  right), /bloom: memory/);
    assert.throws(() => check_row("bloom", {...right}, null), /reason/);
});

/* ---- what is written ---- */

const written = {
    n: ["1", "1.5M", "2G", "64Ki", "1e6", "2,000,000", "2_000_000", "0.5k",
        "2B", "2b", "1,5", "1,50", "1.5", "0", "-1", "0x10", "1e30", "ten",
        "12e", "1kk", "18446744073709551616", "01,000", "1 000", "5."],
    p: ["1%", "0.01", "1e-6", "1/1000", ".5", "0.1%", "50/100", "0", "1", "2",
        "100%", "1e-400", "1%%", "0x1p-3", "1/0", "-0.1", "nan", "1e",
        "1,5%"],
    m: ["18MB", "64MiB", "4096", "9585058b", "10Mbits", "18mb", "64kb", "1kB",
        "0b", "1bit", "1.5", "1.5kB", "2X", "1PB"],
    k: ["1", "7", "255", "256", "0", "1k", "-2"],
};

test("size_reads_numbers_as_the_command_does", {path: "/#size"},
     async ({page}) => {
    for (const [name, texts] of Object.entries(written)) {
        const usual = name === "m" ? {p: "1%"} : {n: "1000", p: "1%"};
        await fill(page, usual);
        for (const text of texts) {
            const given = {...usual, [name]: text};
            await field(page, name).fill(text);
            const error = native_error(given);
            const is_invalid = await field(page, name)
                .getAttribute("aria-invalid");
            assert.equal(is_invalid, String(error.includes(`-${name} '`)),
                         `-${name} ${text}: ${error}`);
            if (error === "")
                check_row("bloom", (await shown_rows(page)).bloom,
                          native_row("bloom", given));
        }
    }
});

/** What the command says on standard error; "" if it can do it. */
function native_error(given) {
    try {
        seenset("plan", "--layout", "bloom", ...options_of(given));
        return "";
    } catch (error) {
        return error.stderr.toString();
    }
}

test("size_says_why_and_keeps_the_last_answer", {path: "/#size"},
     async ({page}) => {
    await field(page, "n").fill("2B");
    const why = page.locator("#size .why", {hasText: "Bytes, or billions?"});
    await why.waitFor();
    assert.match(await field(page, "n").getAttribute("aria-describedby"),
                 new RegExp(await why.getAttribute("id")));
    assert.equal((await shown_rows(page)).blocked.memory, "1.262 MB");
    await page.getByText("of the last ones that could be").waitFor();
    assert.match(await page.locator("#size .size-answer").evaluate((element) =>
        getComputedStyle(element).textDecorationLine), /line-through/);
    await check_axe(page);
    await field(page, "n").fill("2G");
    assert.ok(await page.getByText("of the last ones").isHidden());
});

/* What the page prints it reads again, and the line to copy has it as the
 * command takes it. */
test("size_reads_what_it_prints", {path: "/#size"}, async ({page}) => {
    const line = page.locator('#size [data-lines="command"]');
    for (const [name, printed, plain] of [
        ["n", "1 million", "1M"], ["n", "1.5 billion", "1.5G"],
        ["n", "15,023,399", "15,023,399"], ["m", "1.262 MB", "1.262MB"],
        ["m", "18 MB", "18MB"], ["m", "1,262,464 bytes", "1,262,464B"],
        ["n", "１,０００", "1,000"], ["p", "１％", "1%"], /* wide digits */
        ["p", "1 %", "1%"], ["p", "0.001 (1 in 1,000)", "0.001"]]) {
        await fill(page, {...name === "p" ? {} : {p: "2%"}, [name]: printed});
        assert.equal(await field(page, name).getAttribute("aria-invalid"),
                     "false", printed);
        assert.ok((await line.textContent()).includes(`-${name} ${plain}`),
                  printed);
    }
    await fill(page, {n: "1M", p: "0,01"});
    await page.getByText("Decimals follow a point: 0.01").waitFor();
    await fill(page, {n: "1.000", p: "1%"});
    await page.getByText("A thousand is 1000, 1,000 or 1k.").waitFor();
    await fill(page, {n: "15.000", p: "1%"});
    await page.getByText("Read as 15: ").waitFor();
});

test("size_headline_is_what_the_copied_line_makes", {path: "/#size"},
     async ({page}) => {
    const made = [];
    const compare = async (what) => {
        const headline = await page.locator("#size .size-answer").textContent();
        const [, line] = (await page.locator('#size [data-lines="command"]')
            .textContent()).split("\n");
        const size = in_folder((folder) => {
            const file = path.join(folder, "seen.set");
            seenset(...line.split(" ").slice(1).map((word) =>
                word === "seen.set" ? file : word));
            return value_of(seenset("info", file), "size")
                .match(/\(([^)]*)\)/)[1];
        });
        assert.equal(headline, size, `${what}: ${line}`);
        made.push(size);
    };
    for (const layout of ["blocked", "bloom", "split_block", "counting",
                          "fingerprint"]) {
        await fill(page, {n: "1M", p: "1%"});
        await choose(page, layout);
        await compare(layout);
        await page.getByRole("radio", {name: "Refuse"}).check();
        await compare(`${layout}, refuses`);
        await fill(page, {m: "64KiB", p: "1/1000"});
        await compare(`${layout}, 64 KiB`);
        await page.getByRole("button", {name: "A million at 1 %"}).click();
    }
    assert.notEqual(made[0], made[1], "growing takes more");
});

test("size_sliders_write_numbers", {path: "/#size?n=1M&p=1%25"},
     async ({page}) => {
    for (const [label, name, key, expected] of [
        ["Keys, by a slider", "n", "ArrowRight", "1.3M"],
        ["Keys, by a slider", "n", "End", "10G"],
        ["False positives, by a slider", "p", "ArrowLeft", "0.79%"],
        ["False positives, by a slider", "p", "Home", "1e-12"]]) {
        const slider = page.getByLabel(label);
        await slider.press(key);
        assert.equal(await field(page, name).inputValue(), expected);
        assert.equal(await slider.getAttribute("aria-valuetext"), expected);
    }
    check_row("bloom", (await shown_rows(page)).bloom,
              native_row("bloom", {n: "10G", p: "1e-12"}));
});

test("size_takes_no_width_that_there_is_not",
     {path: "/#size?bits=99&layout=counting&n=1k&p=1%25"}, async ({page}) => {
    assert.equal(await page.getByLabel("Bits of a counter").inputValue(), "4");
    assert.notEqual(await page.locator("#size .size-answer").textContent(),
                    "0 bytes");
});

test("size_answers_a_billion_in_18_mb", {path: "/#size"}, async ({page}) => {
    await page.getByRole("button", {name: "A billion in 18 MB?"}).click();
    const alert = await page.locator("#size [role=alert]").textContent();
    const {capacity_items} = native_plan("bloom", {m: "18MB", p: "1%"});
    const {memory} = native_row("bloom", {n: "1G", p: "1%"});
    for (const words of ["1 billion keys", memory, "830.5 MB",
                         `${(capacity_items / 1e6).toFixed(1)} million`])
        assert.ok(alert.includes(words), alert);
    await shot(page, "size-impossible");
});

test("size_names_a_floor_where_there_is_one", {path: "/#size?n=1G&m=18MB"},
     async ({page}) => {
    const answer = page.locator("#size .size-answer-words");
    await page.locator("#size [role=alert]").waitFor();
    assert.match(await answer.innerText(), /at a rate of 1\.$/);
    await page.evaluate(() => {
        location.hash = "#size?n=1M&p=1%25&full=degrade";
    });
    await page.getByText("in less than 830.5 kB.").waitFor();
});

/* ---- when it is full ---- */

/** `seenset info --json` of a set with keys 1 to `count`. */
function info_of(words, count) {
    return in_folder((folder) => {
        const file = path.join(folder, "set");
        const keys = path.join(folder, "keys");
        seenset("new", file, ...words);
        writeFileSync(keys, Array.from({length: count}, (_, i) =>
            `${i + 1}\n`).join(""));
        seenset("add", file, "--from", keys);
        return {...JSON.parse(seenset("info", "--json", file)),
                text: seenset("info", file)};
    });
}

async function steps(page) {
    const rows = await page.locator("#size tr[data-step]").all();
    return Promise.all(rows.map((row) => row.locator("td").allTextContents()));
}

const units = {bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9};

function bytes_in(text) {
    const [number, unit] = text.split(" ");
    return Number(number) * units[unit];
}

test("size_grows_as_the_library_does", {path: "/#size"}, async ({page}) => {
    for (const layout of ["blocked", "bloom", "split_block"]) {
        await fill(page, {n: "1000", p: "1%"});
        await choose(page, layout);
        const words = ["-n", "1000", "-p", "1%", "--layout", layout];
        const shown = await steps(page);
        const first = info_of(words, 0);
        assert.equal(shown[0][2], value_of(first.text, "size")
            .match(/\(([^)]*)\)/)[1], layout);
        await check_growth(shown, words, 5000, layout);
    }
    await fill(page, {n: "100k", p: "1e-6"});
    await choose(page, "blocked");
    await check_growth(await steps(page), ["-n", "100k", "-p", "1e-6"],
                       500_000, "large");
});

/** Two tables take what the command plans, but for the size of addresses. */
async function check_growth(shown, words, count, what) {
    const {grown} = JSON.parse(seenset("plan", "--json", ...words,
        "--grows-to", String(count)));
    assert.equal(grown.table_count, 2);
    assert.deepEqual(shown.map((cells) => cells[1]),
                     ["1", "2", "2", "2", "2", "2"]);
    const off = bytes_in(shown[2][2]) / (grown.size_bits / 8) - 1;
    assert.ok(Math.abs(off) < 0.03, `${what}: ${off}`);
}

test("size_windows_cost_what_the_library_takes",
     {path: "/#size?n=1M&p=1%25&full=rotate&tables=4"}, async ({page}) => {
    const words = page.locator('#size [data-figure="window"]');
    const one = info_of(["--window", "1M", "-p", "1%", "--window-tables", "4"],
                        0);
    const text = await words.textContent();
    const part = bytes_in(text.match(/: (.*), for all 4/)[1]) /
        (4 * one.size_bits / 8);
    assert.ok(Math.abs(part - 1) < 0.001, `${text}: ${part}`);
    await page.getByLabel("Remember each key for").fill("24h");
    await page.getByText("24 h 00 min at least and 32 h 00 min at most")
        .waitFor();
    await page.getByLabel("Remember each key for").fill("24 kg");
    assert.equal(await page.getByLabel("Remember each key for")
        .getAttribute("aria-invalid"), "true");
});

test("size_shows_what_happens_past_capacity",
     {path: "/#size?n=1M&p=1%25&full=degrade"}, async ({page}) => {
    const plan = native_plan("blocked", {n: "1M", p: "1%"});
    for (const times of ["0.5", "1", "1.5", "2", "4", "10"]) {
        const cells = await page.locator(`#size tr[data-times="${times}"] td`)
            .allTextContents();
        const past = native_row("blocked", {n: String(1e6 * times),
            m: `${plan.size_bits}b`, k: String(plan.hash_count)});
        assert.equal(cells[2], past.rate.replace(/ \(.*/, ""), times);
    }
    await shot(page, "size-degrade");
});

/* ---- the curves ---- */

test("size_curves_are_read_by_pointer_and_by_keys", {path: "/#size"},
     async ({page}) => {
    for (const name of ["The rate by the number of keys",
                        "Bits per key by the rate"]) {
        const frame = page.getByRole("img", {name});
        await frame.locator("path.line").first().waitFor({state: "attached"});
        const all = page.locator("#size .curve-all").filter({has: frame});
        await frame.hover({position: {x: 200, y: 100}});
        assert.match(await all.locator(".curve-place").textContent(), /^At /);
        await page.mouse.move(0, 0);
        await frame.focus();
        await page.keyboard.press("ArrowRight");
        const before = await all.locator(".curve-place").textContent();
        await page.keyboard.press("ArrowRight");
        const after = await all.locator(".curve-place").textContent();
        assert.match(after, /^At /);
        assert.notEqual(after, before);
        assert.match(await all.locator(".legend .value").first()
            .textContent(), /\d/);
    }
});

test("size_rates_table_is_that_of_plan", {path: "/#size?n=1M&p=1%25"},
     async ({page}) => {
    await page.getByText("As a table").click();
    const row = page.locator("#size .size-rates tbody tr")
        .filter({hasText: "1e-06"});
    const cells = await row.locator("td").allTextContents();
    for (const [i, layout] of layouts.entries())
        assert.equal(cells[i],
                     native_row(layout, {n: "1M", p: "1e-6"}).bits, layout);
});
