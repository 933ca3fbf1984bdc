/* The panel "Size it": every figure that it shows is the command's, digit for
 * digit; what it reads, it reads as the command does; what it gives to copy,
 * runs. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {check_axe, native, seenset, shot, site, source,
        test as page_test, test_alone} from "./harness.mjs";
import {ready} from "./support/panels.mjs";

/** A test that begins when the panel has its first figures. */
function test(name, options, drive) {
    page_test(name, options, async (opened) => {
        await ready(opened.page, "size");
        await drive(opened);
    });
}

const layouts = ["blocked", "bloom", "split_block", "counting", "sealed"];

/* ---- what the command says ---- */

/** The output of the command, or null where it refuses. */
function ask(...words) {
    try {
        return seenset(...words);
    } catch (error) {
        assert.ok(error.status > 0, error);
        return null;
    }
}

/** The value beside a label of `seenset plan` or `seenset info`. */
function value_of(text, label) {
    const line = text.split("\n").find((found) =>
        found.trim().startsWith(label));
    assert.ok(line, `${label} in ${text}`);
    return line.trim().slice(label.length).trim();
}

function options_of(given) {
    return Object.entries(given).filter(([name]) => "npmk".includes(name))
        .flatMap(([name, value]) => [`-${name}`, value]);
}

/** A row of the table by the command's text, or null. */
function native_row(layout, given) {
    const bits = layout === "counting"
        ? ["--counter-bits", given.bits ?? "4"] : [];
    const words = ["plan", "--layout", layout, ...options_of(given), ...bits];
    const text = ask(...words);
    if (text === null)
        return null;
    const common = {k: value_of(text, layout === "counting"
                        ? "counters of a key (k)" : "bits a key sets (k)"),
                    rate: value_of(text, "expected rate (p)")};
    if (layout !== "counting")
        return {...common, memory: value_of(text, "size (m)"),
                bits: value_of(text, "bits per key (m/n)"),
                floor: value_of(text, "above the floor")};
    const [memory, per_key] = value_of(text, "all counters").split(", ");
    return {...common, memory, bits: per_key.replace(" bits per key", "")};
}

/** The same plan as numbers. */
function native_plan(layout, given) {
    return JSON.parse(seenset("plan", "--layout", layout, "--json",
                              ...options_of(given))).plans[0];
}

/* ---- what the page says ---- */

const field = (page, name) => page.locator(`#size input[name="${name}"]`);

async function fill(page, given) {
    for (const name of ["n", "p", "m", "k"])
        await field(page, name).fill(given[name] ?? "");
    if (given.bits) {
        await choose(page, "counting");
        await page.getByLabel("Bits of a counter").selectOption(given.bits);
    }
}

async function choose(page, layout) {
    await page.locator(`#size tr[data-layout="${layout}"] input`).check();
}

/** What is visible of the table: {blocked: {memory, bits, ...}, ...}. */
async function shown_rows(page) {
    const rows = await page.locator("#size tr[data-layout]").evaluateAll(
        (elements) => elements.map((row) => [row.dataset.layout,
            [...row.querySelectorAll("td:not([hidden])")].map((cell) =>
                [cell.dataset.cell ?? "reason", cell.textContent])]));
    return Object.fromEntries(rows.map(([layout, cells]) =>
        [layout, Object.fromEntries(cells)]));
}

async function figure(page, name) {
    return page.locator(`#size [data-figure="${name}"] dd`).textContent();
}

/** The page's row is the command's. */
function check_row(layout, shown, expected) {
    if (expected === null) {
        assert.match(shown.reason ?? "", /\w/, `${layout} gives a reason`);
        return;
    }
    for (const name of ["memory", "bits", "k", "rate", "floor"])
        if (expected[name] !== undefined)
            assert.equal(shown[name], expected[name], `${layout}: ${name}`);
}

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
        "100%", "1e-400", "1%%", "0x1p-3", "1/0", "-0.1", "nan", "1 %", "1e",
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

/* ---- when it is full ---- */

function in_folder(work) {
    const folder = mkdtempSync(path.join(tmpdir(), "seenset-size-"));
    try {
        return work(folder);
    } finally {
        rmSync(folder, {recursive: true});
    }
}

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
        await check_growth(shown, words, 7100, 0.1, layout);
    }
    await fill(page, {n: "100k", p: "1e-6"});
    await choose(page, "blocked");
    await check_growth(await steps(page), ["-n", "100k", "-p", "1e-6"],
                       710_000, 0.01, "large");
});

/** Four tables take what the page says, but for a part. */
async function check_growth(shown, words, count, most_off, what) {
    const grown = info_of(words, count);
    assert.equal(grown.generation_count, 4);
    const off = bytes_in(shown[3][2]) / (grown.size_bits / 8) - 1;
    assert.ok(Math.abs(off) < most_off, `${what}: ${off}`);
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

/* ---- what is copied ---- */

async function lines(page, name) {
    return page.locator(`#size [data-lines="${name}"]`).textContent();
}

const kinds = [
    "n=1k&p=1%25", "n=1k&p=1%25&layout=bloom&full=refuse",
    "n=1k&p=1e-6&layout=split_block&full=degrade", "m=4kB", "m=4kB&k=8",
    "m=4kB&k=3&layout=bloom", "n=1k&p=0.1%25&layout=counting&bits=8",
    "n=1k&p=1%25&full=rotate", "n=1k&p=1/1000&full=rotate&window=24h&tables=3",
    "n=1k&p=1%25&layout=sealed", "",
];

/** Until the page has taken what was put into its address. */
function wait_for_address(page) {
    return page.evaluate(() => new Promise((done) => { setTimeout(done); }));
}

/** Runs each of them in a folder, as a reader would paste it. */
function run_lines(folder, all, kind) {
    const options = {cwd: folder, stdio: "pipe", env: {...process.env,
        PATH: `${native}:${process.env.PATH}`}};
    for (const name of ["urls.txt", "keys.txt", "asked.txt"])
        writeFileSync(path.join(folder, name), "a\nb\na\nc\n");
    const out = execFileSync("sh", ["-e", "-c", all.command], options);
    assert.match(out.toString(), /^layout/, kind);
    if (!kind.includes("sealed"))
        assert.equal(readFileSync(path.join(folder, "unique.txt"), "utf8"),
                     "a\nb\nc\n", kind);
    rmSync(path.join(folder, "seen.set"));
    execFileSync("python3", ["-c", all.python], options);
    writeFileSync(path.join(folder, "seen.c"), all.c);
    execFileSync("cc", ["-std=c11", "-Wall", "-Werror", "seen.c",
        `-I${source}/include`, path.join(native, "libseenset.a"), "-lm",
        "-lpthread", "-o", "seen"], options);
    execFileSync("./seen", [], options);
    const module_file = path.join(site, "module/seenset.mjs");
    writeFileSync(path.join(folder, "seen.mjs"), all.javascript
        .replace("'seenset'", `'${pathToFileURL(module_file)}'`));
    assert.equal(execFileSync("node", ["seen.mjs"], options).toString(),
                 "true\n", kind);
}

test("size_lines_run_as_they_are", {path: "/#size"}, async ({page}) => {
    await page.locator("#size [data-figure=answer]").waitFor();
    for (const kind of kinds) {
        await page.evaluate((hash) => { location.hash = hash; },
                            `#size?${kind}`);
        await wait_for_address(page);
        const all = {};
        for (const name of ["command", "c", "python", "javascript"])
            all[name] = await lines(page, name);
        in_folder((folder) => run_lines(folder, all, kind));
    }
});

test("size_lines_of_other_systems", {path: "/#size?n=100&p=1%25&full=refuse"},
     async ({page}) => {
    assert.equal(await lines(page, "redis"), "BF.RESERVE seen 0.01 100 " +
        "NONSCALING\nBF.ADD seen https://example.com/");
    /* a RedisBloom of 100 keys at 0.01 has 120 bytes: 958 bits in words */
    assert.match(await page.locator("[data-note=redis]").textContent(),
                 /takes 120 bytes/);
    await fill(page, {n: "100k", p: "1e-9"});
    assert.match(await lines(page, "duckdb"),
                 /BLOOM_FILTER_FALSE_POSITIVE_RATIO 1e-9\)/);
    /* DuckDB writes 2 MiB for 100,000 values at 1e-9, and 131,072 at 0.01 */
    assert.match(await page.locator("[data-note=duckdb]").textContent(),
                 /2.097 MB for 100,000/);
    await fill(page, {n: "100k", p: "1%"});
    assert.match(await page.locator("[data-note=duckdb]").textContent(),
                 /131.1 kB for 100,000/);
});

test("size_lines_are_copied", {path: "/#size?n=5M&p=1%25", context:
     {permissions: ["clipboard-read", "clipboard-write"]}},
     async ({page}) => {
    for (const name of ["command", "python"]) {
        const title = name[0].toUpperCase() + name.slice(1);
        await page.getByRole("tab", {name: title}).click();
        await page.getByRole("button", {name: `Copy the ${title} lines`})
            .click();
        await page.getByRole("status").filter({hasText: "Copied"}).waitFor();
        assert.equal(await page.evaluate(() =>
            navigator.clipboard.readText()), await lines(page, name));
    }
});

/* ---- the address ---- */

test("size_is_sent_by_its_address", {path: "/#size"},
     async ({page, origin, context}) => {
    await fill(page, {n: "2G", p: "1/1000"});
    await choose(page, "split_block");
    await page.getByRole("radio", {name: "Forget the oldest"}).check();
    await page.getByLabel("Remember each key for").fill("7d");
    await page.getByLabel("Tables", {exact: true}).fill("9");
    await page.getByRole("tab", {name: "DuckDB"}).click();
    assert.equal(new URL(page.url()).hash, "#size?n=2G&p=1/1000&" +
        "layout=split_block&full=rotate&window=7d&tables=9&as=duckdb");
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("#size [data-figure=answer]").waitFor();
    for (const part of ["#size .size-top", "#size .size-policy-words",
                        "#size [role=tabpanel]:not([hidden])"])
        assert.equal(await other.locator(part).innerText(),
                     await page.locator(part).innerText(), part);
    assert.equal(await field(other, "n").inputValue(), "2G");
    await other.close();
    assert.ok(page.url().startsWith(origin));
});

test("size_comes_back_from_another_panel", {path: "/#size?n=3M&p=1%25"},
     async ({page}) => {
    await page.getByRole("link", {name: "See it"}).click();
    await page.locator("#see").waitFor();
    assert.ok(await page.locator("#size").isHidden());
    await page.getByRole("link", {name: "Size it"}).click();
    assert.equal(await field(page, "n").inputValue(), "3M");
    assert.equal(new URL(page.url()).hash, "#size?n=3M&p=1%25");
});

test("size_takes_what_nobody_would_write", {path:
     "/#size?n=%3Cb%3E&p=NaN&k=1e99&layout=x&full=y&window=z&tables=-1&as=q"},
     async ({page}) => {
    await page.locator("#size .why", {hasText: "It is larger"}).waitFor();
    assert.equal(await page.locator("#size [aria-invalid=true]").count(), 4);
    await fill(page, {n: "1M", p: "1%"});
    assert.equal((await shown_rows(page)).blocked.memory, "1.262 MB");
});

/* ---- for everyone ---- */

test("size_is_driven_by_keys", {path: "/#size"}, async ({page}) => {
    await field(page, "n").focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("1G");
    await page.getByRole("status").filter({hasText:
        native_row("blocked", {n: "1G", p: "1%"}).memory}).waitFor();
    await page.locator('#size tr[data-layout="blocked"] input').focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator("#size [data-figure=answer]")
        .textContent(), native_row("bloom", {n: "1G", p: "1%"}).memory);
    await page.getByRole("tab", {name: "Command"}).focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#size [role=tabpanel]:visible")
        .innerText(), /seenset_new/);
    await page.keyboard.press("End");
    assert.ok(await page.getByRole("tab", {name: "DuckDB"}).evaluate((tab) =>
        tab === document.activeElement));
});

for (const full of ["grow", "rotate", "degrade"])
    test(`size_is_accessible_${full}`, {path: `/#size?n=1M&full=${full}`},
         async ({page}) => {
        await page.locator("#size path.line").first()
            .waitFor({state: "attached"});
        await page.getByText("As a table").click();
        await check_axe(page);
    });

test("size_is_accessible_counting_and_wrong",
     {path: "/#size?n=1M&p=1%25&layout=counting&k=x"}, async ({page}) => {
    await check_axe(page);
    await fill(page, {n: "1G", p: "1%", m: "18MB"});
    await check_axe(page);
});

for (const width of [320, 360, 768])
    test(`size_fits_${width}_pixels`, {path: "/#size?n=1M&p=1e-9",
         viewport: {width, height: 800}}, async ({page}) => {
        for (const kind of ["full=rotate", "layout=counting", "as=c"]) {
            await page.evaluate((hash) => { location.hash = hash; },
                                `#size?n=1G&p=1e-9&${kind}`);
            await page.locator("#size path.line").first()
                .waitFor({state: "attached"});
            assert.ok(await page.evaluate(() =>
                document.documentElement.scrollWidth <= innerWidth), kind);
        }
        await shot(page, `size-${width}`);
    });

for (const locale of ["de-DE", "tr-TR"])
    test(`size_has_the_same_figures_in_${locale}`, {path: "/#size", locale},
         async ({page}) => {
        const given = {n: "1.5M", p: "0.1%"};
        await fill(page, given);
        const shown = await shown_rows(page);
        for (const layout of layouts)
            check_row(layout, shown[layout], native_row(layout, given));
    });

test("size_looks_right_in_the_dark", {path: "/#size", colorScheme: "dark"},
     async ({page}) => {
    await page.locator("#size path.line").first().waitFor({state: "attached"});
    await shot(page, "size-dark");
    await page.getByRole("button", {name: "Light"}).click();
    assert.equal(await page.evaluate(() =>
        getComputedStyle(document.body).colorScheme), "light");
    await page.reload();
    await page.getByRole("button", {name: "Dark"}).waitFor();
});

/** Shifts that no reader caused, while the page starts. */
test("size_does_not_shift_while_it_starts", {path: "/#size"},
     async ({page}) => {
    await page.locator("#size path.line").first().waitFor({state: "attached"});
    const shift = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
                sum += entry.hadRecentInput ? 0 : entry.value;
        }).observe({type: "layout-shift", buffered: true});
        requestAnimationFrame(() => setTimeout(() => done(sum), 100));
    }));
    assert.equal(shift, 0);
});

/* ---- numbers, without a page ---- */

test_alone("size_rounds_as_printf_does", async () => {
    const {exponential, fixed, general} = await import(
        pathToFileURL(path.join(source, "fronts/web/page/ui/decimal.mjs")));
    const texts = [
        [fixed(9.625, 2), "9.62"], [fixed(0.125, 2), "0.12"],
        [fixed(2.5, 0), "2"], [fixed(3.5, 0), "4"], [fixed(1e21, 1),
        "1000000000000000000000.0"], [fixed(-0.001, 2), "-0.00"],
        [general(0.0001, 4), "0.0001"], [general(0.00001, 4), "1e-05"],
        [general(123456, 4), "1.235e+05"], [general(9999.5, 4), "1e+04"],
        [general(5e-324, 3), "4.94e-324"], [general(0, 4), "0"],
        [general(1.7976931348623157e308, 3), "1.8e+308"],
        [general(0.3, 17), "0.29999999999999999"],
        [general(100, 10), "100"], [general(NaN, 3), "nan"],
        [exponential(2.5, 0), "2e+00"], [exponential(1e-9, 2), "1.00e-09"],
    ];
    for (const [made, right] of texts)
        assert.equal(made, right);
});

page_test("page_skips_to_its_content_and_keeps_the_panel",
     {path: "/#see"}, async ({page}) => {
    await page.locator("#see h1").waitFor();
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.locator("#content").evaluate((content) =>
        content === document.activeElement));
    assert.ok(await page.locator("#see").isVisible());
});
