/* The panel "Use it": files of other systems are checked and asked as the
 * native command does it. */
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {check_axe, download, drop, seenset, shot, test} from "../harness.mjs";
import {checked, printed, vector, writeFiles} from "../support/foreign.mjs";
import {offer, place, zone} from "../support/use_panel.mjs";

const names = writeFiles(place("."), writeFileSync);
const card = "#use .foreign";

const column = (page) => page.locator(card).getByLabel("Column",
                                                       {exact: true});

/** Drops a file, and waits until it is shown. */
async function show_file(page, name, bytes = readFileSync(place(name))) {
    await drop(zone(page), name, bytes);
    await page.locator(`${card} h2`).getByText(name, {exact: true}).waitFor();
}

/* ---- what the command prints ---- */

/** "label" to "value" of the rows that `check` prints. */
const native_rows = (name) => Object.fromEntries(printed(
    ["check", place(name)]).split("\n").filter((line) => /\S\s\s+\S/.test(line))
    .map((line) => line.trim().split(/\s\s+/)));

/** The cells of its table, by the order of the page's. */
const native_table = (name) => printed(["check", place(name)])
    .split(/\n\n.*\n/)[1].trim().split("\n")
    .map((line) => line.trim().split(/\s\s+/))
    .map((cells) => cells.length === 8
        ? [cells[0], cells[6], cells[7], ...cells.slice(1, 6)]
        : [cells[0], cells[6], ...cells.slice(1, 6)])
    .map((cells) => cells.map((cell) => cell.replace("%", " %")));

/* ---- what the page shows ---- */

const facts = (page) => page.locator(`${card} [data-fact]`).evaluateAll(
    (rows) => Object.fromEntries(rows.map((row) => [row.dataset.fact,
        row.querySelector("dd").innerText])));

const cells = (page) => page.locator(`${card} .filters tbody tr`).evaluateAll(
    (rows) => rows.map((row) => [...row.cells].map((cell) =>
        cell.innerText.replace(/^too (full|large): /, ""))));

const labels = {format: "format", added: "keys, as it says", seed: "seed",
                layout: "layout", size: "size", capacity: "sized for",
                promised: "rate promised", bits_set: "bits set",
                keys: "distinct, estimated", now: "rate now"};

test("use_checks_files_of_other_systems", {path: "/#use"}, async ({page}) => {
    let alone = 0;
    for (const name of names) {
        await show_file(page, name);
        assert.doesNotMatch(await page.locator(card).innerText(),
                            /null|undefined/, name);
        const {filters, format} = checked(place(name));
        if (["parquet", "leveldb"].includes(format) || filters.length > 1) {
            assert.deepEqual(await cells(page), native_table(name), name);
            continue;
        }
        alone += 1;
        const shown = await facts(page);
        const wanted = native_rows(name);
        for (const [fact, label] of Object.entries(labels))
            assert.equal(shown[fact], wanted[label], `${name}: ${label}`);
        assert.ok(shown.verdict.endsWith(wanted.verdict), name);
        assert.ok(shown.verdict.startsWith(filters[0].verdict), name);
    }
    assert.ok(alone >= 8);
    await check_axe(page);
});

/** What is said of keys that are typed. */
async function answers(page, keys, count = keys.length) {
    await page.locator(`${card} textarea`).fill(
        keys.map((key) => `${key}\n`).join(""));
    await page.locator(`${card} .answers tbody tr`).nth(count - 1).waitFor();
    await page.locator(`${card} .answers`).getByText(keys.at(-1)).waitFor();
    return page.locator(`${card} .answers tbody tr`).allInnerTexts();
}

test("use_finds_keys_of_parquet", {path: "/#use"}, async ({page}) => {
    await show_file(page, "people.parquet");
    await page.getByText("Choose a column to look for keys").waitFor();
    await column(page).selectOption("email");
    const emails = (await cells(page)).map((row) => row[1]);
    assert.deepEqual([...new Set(emails)], ["email"]);
    const keys = ["p7@y.example", "nobody@y.example", "p2500@y.example"];
    const groups = printed(["has", "--row-groups",
        place("people.parquet:email")], keys.join("\n")).split("\n");
    const say = (key) => {
        const line = groups.find((one) => one.endsWith(`\t${key}`));
        return `${key}\t${line === undefined ? "never added"
            : "may be in row group " +
                line.split("\t")[0].replaceAll(",", ", ")}`;
    };
    assert.deepEqual(await answers(page, keys), keys.map(say));
    await check_axe(page);
    await shot(page, "use-parquet");
    await column(page).selectOption("number");
    await page.locator(`${card} textarea`).fill("seven\n");
    await page.locator(`${card} .answered.wrong`)
        .getByText("'seven' is not a value of 'number', which are int32.")
        .waitFor();
});

test("use_finds_keys_of_others", {path: "/#use"}, async ({page}) => {
    await show_file(page, "guava-32.bloom");
    await page.getByLabel("How keys became bytes").selectOption("utf16");
    assert.deepEqual(await answers(page, ["key 7", "key 700"]),
        ["key 7\tfound", "key 700\tnever added"]);
    await show_file(page, "flor.bloom.gz");
    assert.deepEqual(await answers(page, ["key 7", "key 700"]),
        ["key 7\tfound", "key 700\tnever added"]);
    const saved = await download(page, () =>
        page.getByRole("button", {name: "Save it as a set (.seen)"}).click());
    assert.equal(saved.name, "flor.bloom.gz.seen");
    seenset("convert", "--force", "--format", "seenset", place("flor.bloom"),
            place("converted"));
    assert.ok(saved.bytes.equals(readFileSync(place("converted"))));
    await shot(page, "use-dcso");
});

test("use_asks_a_block_with_its_hash", {path: "/#use"}, async ({page}) => {
    await show_file(page, "block", Buffer.from( /* bip-0158/testnet-19.json */
        "0afbc2920af1b027f31f87b592276eb4c32094bb4d3697021b4c6380", "hex"));
    const block = page.getByLabel("Hash of the block");
    const keys = ["76a91445db0b779c0b9fa207f12a8218c94fc77aff504588ac", "52"];
    const said = page.locator(`${card} .answered`);
    await page.locator(`${card} textarea`).fill(`${keys.join("\n")}\n`);
    await said.getByText("The hash of the block is needed first.").waitFor();
    await block.fill("0000");
    await page.locator(`${card} .answered.wrong`)
        .getByText("64 hexadecimal digits").waitFor();
    await block.fill(
        "0000000018b07dca1b28b4b5a119f6d6e71698ce1ed96f143f54179ce177a19c");
    await said.getByText("1 of 2 keys were found.").waitFor();
    assert.deepEqual(await answers(page, keys),
        [`${keys[0]}\tfound`, "52\tnever added"]);
    await check_axe(page);
    await block.fill("f".repeat(64)); /* planted: another block */
    await said.getByText("0 of 2 keys were found.").waitFor();
    await shot(page, "use-block");
});

test("use_says_where_a_foreign_file_is_damaged", {path: "/#use"},
     async ({page}) => {
    const short = vector("people.parquet").subarray(0, 4000);
    writeFileSync(place("short.parquet"), short);
    await show_file(page, "short.parquet");
    await page.locator(card).getByRole("alert")
        .getByText(/short\.parquet is damaged, at byte [\d,]+ of 4,000: /)
        .waitFor();
    const other = vector("people.parquet");
    const [{bitsOffset}] = checked(place("people.parquet")).filters;
    other[bitsOffset - 8] = 0o54;
    await show_file(page, "other.parquet", other);
    await page.locator(`${card} .filters .is-bad`).first()
        .getByText(/\(at byte [\d,]+\)/).waitFor();
    assert.match(await page.locator(`${card} .sum`).innerText(),
                 /^4 filters: .*1 (damaged|not supported)/);
});

/* Lines are lines, and no module is fetched for them. */
test("use_takes_the_second_module_when_it_is_needed",
     {path: "/#use", offline: true}, async ({page, sent}) => {
    const count = () => sent.filter(({path}) =>
        path.endsWith("seenset-foreign.wasm")).length;
    await page.locator("html[data-offline=ready]").waitFor();
    const from = count();
    await offer(page, "lines.txt", Buffer.from("a\nb\na\n"));
    assert.equal(count(), from);
    await offer(page, "nul.txt", Buffer.from("a\0b\0a\0"));
    await show_file(page, "flor.bloom");
    await show_file(page, "guava.bloom");
    assert.equal(count(), from + 1);
});

for (const width of [375, 768, 1280])
    test(`use_shows_filters_at_${width}`, {path: "/#use",
        viewport: {width, height: 800}}, async ({page}) => {
        await show_file(page, "hyparquet.parquet");
        await column(page).selectOption("price");
        await answers(page, ["1.5", "-3"]);
        assert.ok(await page.evaluate(() =>
            document.documentElement.scrollWidth <= innerWidth));
        await shot(page, `use-filters-${width}`);
        await check_axe(page); /* in light and in dark */
    });
