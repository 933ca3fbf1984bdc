/* The panel "Use it", driven as a person would: files lose their duplicates,
 * sets are opened, asked and saved. What the page shows and what it gives for
 * download are those of the native command, byte for byte. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, truncateSync,
        writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {gzipSync} from "node:zlib";
import {at_end, check_axe, download, drop, seenset, seenset_bytes, shot,
        test} from "./harness.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-use-"));
at_end(() => rmSync(work, {recursive: true}));
const place = (name) => path.join(work, name);

/** The stream of `make demo`: the home pages of all Debian packages. */
function real_urls() {
    const available = execFileSync("sh", ["-c", "apt-cache dumpavail || :"],
                                   {maxBuffer: 1 << 30}).toString("latin1");
    const urls = [...available.matchAll(/^Homepage: *(.*)$/gm)];
    return Buffer.from(urls.map(([, url]) => url + "\n").join(""), "latin1");
}
const urls = real_urls();
writeFileSync(place("urls.txt"), urls);

/** Lines that are the same each time: number, and every third again. */
function numbered(count, more = "") {
    let text = "";
    for (let i = 0; i < count; i++)
        text += `line ${i % 3 === 2 ? i - 1 : i}${more}\n`;
    return text;
}

writeFileSync(place("few.txt"), numbered(1000));

/* ---- what a person does ---- */

const zone = (page) => page.locator("#use .drop");
const start_button = (page) =>
    page.getByRole("button", {name: "Drop the duplicates"});

/** Drops a file of lines, and waits for its options. */
async function offer(page, name, bytes) {
    await drop(zone(page), name, bytes);
    await page.locator("#use .files").getByText(name).waitFor();
}

const pick = (page, name) => page.getByRole("radio", {name}).check();

async function run(page) {
    await start_button(page).click();
    await page.locator("#use .result h2").waitFor();
}

/** Drops a file, starts, and waits for the result. */
async function drop_and_run(page, name, bytes) {
    await offer(page, name, bytes);
    await run(page);
}

const get_lines = (page) => download(page, () =>
    page.getByRole("link", {name: /^Download/}).click());
const get_set = (page) => download(page, () =>
    page.locator("#use .set").getByRole("button", {name: "Save the set"})
        .click());

/** A fact of the result. */
const fact = (page, name) =>
    page.locator(`#use .result [data-fact="${name}"] dd`).innerText();

/** "label value" of each row of the set. */
const info_rows = (page) => page.locator("#use .info > div").evaluateAll(
    (rows) => rows.map((row) =>
        `${row.querySelector("dt").innerText} ` +
        row.querySelector("dd").innerText));

/** The same of `seenset info`, whose memory is a file's, which is mapped. */
const native_rows = (...words) => seenset("info", ...words).trim().split("\n")
    .map((line) => line.replace(/\s\s+/g, " ").trim())
    .filter((line) => !/^(file|memory) /.test(line));
const rows_without_memory = async (page) =>
    (await info_rows(page)).filter((row) => !row.startsWith("memory "));

/** What --stats prints, by its labels. */
function native_stats(...words) {
    const printed = execFileSync("sh", ["-c",
        '"$@" 2>&1 >/dev/null', "sh", ...words]).toString();
    return Object.fromEntries(printed.trim().split("\n").map((line) =>
        line.split(/\s\s+/)));
}

const command = path.join(process.env.SEENSET_BUILD ??
    new URL("../../build/release", import.meta.url).pathname, "seenset");

/* ---- duplicates ---- */

test("use_drops_the_duplicates_of_real_urls", {path: "/#use"},
     async ({page, t}) => {
    if (urls.length < 400_000) {
        t.skip("SKIPPED: apt has no package lists here");
        return;
    }
    await drop_and_run(page, "urls.txt", urls);

    const saved = await get_lines(page);
    assert.equal(saved.name, "urls.unique.txt");
    const native = seenset_bytes(["dedup", "-p", "1e-9", place("urls.txt")]);
    assert.ok(saved.bytes.equals(native), "not what seenset dedup prints");

    const shown = await page.locator("#use .command code").innerText();
    const [, capacity] = shown.match(
        /^seenset dedup -p 1e-9 -n (\w+) urls.txt > urls.unique.txt$/);
    const stats = native_stats(command, "dedup", "--stats", "-p", "1e-9",
                               "-n", capacity, place("urls.txt"));
    for (const [ours, theirs] of [["lines", "lines"], ["kept", "new"],
                                  ["dropped", "repeated"],
                                  ["wrong", "wrongly dropped"],
                                  ["set", "set"], ["fill", "fill"],
                                  ["rate", "rate now"]])
        assert.equal(await fact(page, ours), stats[theirs]);
    assert.match(await fact(page, "speed"), /^[\d,]+ ns a line, /);

    const set = await get_set(page);
    assert.equal(set.name, "urls.seen");
    seenset("dedup", "-c", "-p", "1e-9", "-n", capacity, "--set",
            place("native.seen"), place("urls.txt"));
    assert.ok(set.bytes.equals(readFileSync(place("native.seen"))),
              "not the set of the command");
    assert.deepEqual(await rows_without_memory(page),
                     native_rows(place("native.seen")));
    await shot(page, "use-result");
    await check_axe(page);
});

test("use_takes_files_that_are_chosen_and_joins_them", {path: "/#use"},
     async ({page}) => {
    for (const [name, text] of [["a.txt", "1\n2\n1"], ["b.txt", "2\n3\n"]])
        writeFileSync(place(name), text);
    await page.getByLabel("Choose files")
        .setInputFiles([place("a.txt"), place("b.txt")]);
    await run(page);
    assert.equal((await get_lines(page)).bytes.toString(), "1\n2\n3\n");
    assert.match(await page.locator("#use .command code").innerText(),
                 / a.txt b.txt > a.unique.txt$/);
});

test("use_takes_pasted_text", {path: "/#use"}, async ({page}) => {
    await page.getByText("Or paste text").click();
    await page.getByLabel("Text, one line each").fill("ä\nb\nä");
    await page.getByRole("button", {name: "Take this text"}).click();
    await run(page);
    assert.equal((await get_lines(page)).bytes.toString(), "ä\nb\n");
});

test("use_works_by_keyboard_alone", {path: "/#use"}, async ({page}) => {
    const focused = () => page.evaluate(() =>
        document.activeElement.textContent);
    await page.getByText("Or paste text").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("a\nb\na\n");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#use .settings").waitFor();
    await page.waitForFunction(() =>
        document.activeElement.type === "submit");
    assert.equal(await focused(), "Drop the duplicates");
    await page.keyboard.press("Enter");
    await page.getByText("2 of 3 lines are left").waitFor();
});

test("use_reads_files_that_are_gzipped", {path: "/#use"}, async ({page}) => {
    const text = numbered(1000);
    writeFileSync(place("many.txt"), text);
    await drop_and_run(page, "many.txt.gz", gzipSync(text));
    const saved = await get_lines(page);
    assert.equal(saved.name, "many.unique.txt");
    assert.deepEqual(saved.bytes, seenset_bytes(["dedup", place("many.txt")]));
});

test("use_reads_text_that_ends_with_nul", {path: "/#use"},
     async ({page}) => {
    const text = "a\nb\0c\0a\nb\0c";
    writeFileSync(place("nul"), text);
    await offer(page, "nul", Buffer.from(text));
    assert.ok(await page.getByRole("radio", {name: "Text up to a NUL"}).isChecked());
    await run(page);
    assert.deepEqual((await get_lines(page)).bytes,
                     seenset_bytes(["dedup", "-0", place("nul")]));
});

test("use_prints_only_the_repeats", {path: "/#use"}, async ({page}) => {
        await offer(page, "few.txt", readFileSync(place("few.txt")));
    await pick(page, "Only the repeats");
    await run(page);
    assert.deepEqual((await get_lines(page)).bytes,
                     seenset_bytes(["dedup", "-v", place("few.txt")]));
    assert.match(await page.locator("#use .command code").innerText(), / -v /);
});

test("use_reads_columns", {path: "/#use"}, async ({page}) => {
    const table = "id;\"full; name\"\n1;\"Ada\nL.\"\n2;Bob\n3;\"Ada\nL.\"\n4\n";
    await offer(page, "people.csv", Buffer.from(table));
    assert.ok(await page.getByRole("radio", {name: "A CSV row"}).isChecked());
    const column = page.getByLabel("Rows are the same if this column is");
    assert.deepEqual(await column.locator("option").allInnerTexts(),
                     ["1: id", "2: full; name"]);
    await column.selectOption("2");
    await check_axe(page);
    await run(page);
    assert.equal((await get_lines(page)).bytes.toString(),
                 "id;\"full; name\"\n1;\"Ada\nL.\"\n2;Bob\n4\n");
    assert.equal(await fact(page, "lines"), "3");
    assert.equal(await fact(page, "without"), "1");

    await page.getByLabel("The first row names the columns").uncheck();
    await column.selectOption("1");
    await run(page);
    assert.equal((await get_lines(page)).bytes.toString(), table);
});

test("use_says_that_a_file_lacks_the_column", {path: "/#use"},
     async ({page}) => {
    for (const [name, text] of [["a.csv", "url,x\n1,2\n"],
                                ["b.csv", "link,x\n1,2\n"]])
        writeFileSync(place(name), text);
    await page.getByLabel("Choose files")
        .setInputFiles([place("a.csv"), place("b.csv")]);
    await start_button(page).click();
    await page.getByRole("alert")
        .getByText("A file has no column of that name").waitFor();
});

test("use_forgets_what_left_the_window", {path: "/#use"}, async ({page}) => {
    const text = numbered(5000) + numbered(5000);
    writeFileSync(place("window.txt"), text);
    await offer(page, "window.txt", Buffer.from(text));
    await page.getByText("Rate, size and more").click();
    await page.getByLabel("Forget after").fill("1k");
    await run(page);
    assert.deepEqual((await get_lines(page)).bytes,
                     seenset_bytes(["dedup", "-p", "1e-9", "--window", "1k",
                                    place("window.txt")]));
    assert.equal(await page.locator("#use .command code").innerText(),
        "seenset dedup -p 1e-9 --window 1k window.txt > window.unique.txt");
});

test("use_makes_sets_of_other_layouts", {path: "/#use"}, async ({page}) => {
    await offer(page, "few.txt", readFileSync(place("few.txt")));
    await page.getByText("Rate, size and more").click();
    await page.getByLabel("Rate of error").fill("0.1%");
    await page.getByLabel("Different lines").fill("2k");
    for (const layout of ["bloom", "split_block", "counting"]) {
        await page.getByLabel("Layout of the set").selectOption(layout);
        await run(page);
        const set = await get_set(page);
        seenset("new", "--force", "--layout", layout, "-n", "2k", "-p", "0.1%",
                place(layout));
        seenset("add", place(layout), "--from", place("few.txt"));
        assert.ok(set.bytes.equals(readFileSync(place(layout))), layout);
        await page.getByText("Go on with the set").waitFor();
    }
});

test("use_marks_what_it_cannot_read", {path: "/#use"}, async ({page}) => {
    await offer(page, "a.txt", Buffer.from("a\n"));
    await page.getByText("Rate, size and more").click();
    const rate = page.getByLabel("Rate of error");
    await rate.fill("2");
    assert.equal(await rate.getAttribute("aria-invalid"), "true");
    await page.getByText("It must be between 0 and 1.").waitFor();
    assert.ok(await start_button(page).isDisabled());
    await check_axe(page);
    await rate.fill("1/1000");
    assert.ok(await start_button(page).isEnabled());
});

test("use_keeps_its_options_in_the_address", {path: "/#use?p=1%25&keep=repeated"},
     async ({page}) => {
    await offer(page, "a.txt", Buffer.from("a\na\n"));
    assert.ok(await page.getByRole("radio", {name: "Only the repeats"}).isChecked());
    await page.getByText("Rate, size and more").click();
    await page.getByLabel("Different lines").fill("5k");
    await pick(page, "A CSV row");
    assert.equal(new URL(page.url()).hash,
                 "#use?p=1%25&n=5k&keep=repeated&kind=csv");
    await page.reload();
    await offer(page, "a.txt", Buffer.from("a\na\n"));
    assert.ok(await page.getByRole("radio", {name: "A CSV row"}).isChecked());
    await page.getByText("Rate, size and more").click();
    assert.equal(await page.getByLabel("Different lines").inputValue(), "5k");
});

test("use_is_cancelled", {path: "/#use"}, async ({page}) => {
    writeFileSync(place("empty"), "");
    truncateSync(place("empty"), 1 << 30); /* a GiB of NUL, not on the disk */
    await page.getByLabel("Choose files").setInputFiles(place("empty"));
    await start_button(page).click();
    await page.locator("#use .running .note")
        .getByText(/[1-9][\d,]* lines/).waitFor();
    await check_axe(page);
    await page.getByRole("button", {name: "Cancel"}).click();
    await page.getByRole("alert").getByText("Cancelled").waitFor();
    assert.ok(await page.locator("#use .result").isHidden());
    assert.ok(await page.locator("#use .running").isHidden());
    await drop_and_run(page, "a.txt", Buffer.from("a\na\n"));
    assert.equal((await get_lines(page)).bytes.toString(), "a\n");
});

/* ---- where the output goes ---- */

const long_text = numbered(600_000, " and some more to make it longer");

test("use_keeps_much_output_on_the_disk", {path: "/#use"}, async ({page}) => {
    writeFileSync(place("long.txt"), long_text);
    await page.getByLabel("Choose files").setInputFiles(place("long.txt"));
    await run(page);
    assert.match(await fact(page, "memory"), /on this browser's disk space$/);
    const native = seenset_bytes(["dedup", "-p", "1e-9", place("long.txt")]);
    assert.ok(native.length > 1 << 24);
    assert.ok((await get_lines(page)).bytes.equals(native));
});

test("use_writes_straight_to_a_file", {path: "/#use"}, async ({page}) => {
    await page.evaluate(() => { /* what a person chooses cannot be driven */
        window.showSaveFilePicker = async ({suggestedName}) => {
            const folder = await navigator.storage.getDirectory();
            return folder.getFileHandle(suggestedName, {create: true});
        };
    });
    await offer(page, "urls.txt", urls);
    await page.getByRole("button", {name: "Write straight to a file"}).click();
    await page.getByText("The file that you chose was written.").waitFor();
    const written = await page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory();
        const handle = await folder.getFileHandle("urls.unique.txt");
        return (await handle.getFile()).text();
    });
    assert.equal(written, seenset("dedup", "-p", "1e-9", place("urls.txt")));
});

/* ---- sets ---- */

/** Makes sets of the command, of every kind. */
function make_sets() {
    const text = numbered(3000);
    writeFileSync(place("keys"), text);
    const made = [["blocked"], ["bloom", "--layout", "bloom", "-k", "7"],
                  ["counting", "--layout", "counting"],
                  ["parquet", "--layout", "split_block"],
                  ["grown", "-n", "500"], ["window", "--window", "1k"],
                  ["days", "--window", "7d", "--sliding", "-n", "10k"],
                  ["md5", "--scheme", "md5-divmod"], ["seeded", "--seed", "7"],
                  ["full", "-n", "500", "--on-full", "degrade"]];
    for (const [name, ...words] of made) {
        const capacity = words.some((word) => /^-n|^--window$/.test(word))
            ? [] : ["-n", "10k"];
        seenset("new", "--force", ...capacity, ...words, place(name));
        seenset("add", place(name), "--from", place("keys"));
    }
    seenset("seal", place("sealed"), place("keys"));
    return [...made.map(([name]) => name), "sealed"];
}

/** The pixels of both pictures: of the page, and of `info --picture`. */
async function pictures(page, name) {
    seenset("info", "--picture", place(`${name}.png`), place(name));
    const png = readFileSync(place(`${name}.png`)).toString("base64");
    return page.evaluate(async (text) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]),
            {colorSpaceConversion: "none"});
        const ours = document.querySelector("#use .picture canvas");
        if (image.width !== ours.width || image.height !== ours.height)
            return "another size";
        const theirs = new OffscreenCanvas(image.width, image.height)
            .getContext("2d");
        theirs.drawImage(image, 0, 0);
        const [a, b] = [theirs, ours.getContext("2d")].map((context) =>
            context.getImageData(0, 0, image.width, image.height).data);
        for (let i = 0; i < a.length; i++)
            if (b[i | 3] !== 0 && a[i] !== b[i])
                return `pixel ${i >> 2}`;
        return "the same";
    }, png);
}

test("use_opens_sets_of_the_command", {path: "/#use"}, async ({page}) => {
    for (const name of make_sets()) {
        await drop(zone(page), name, readFileSync(place(name)));
        const verified = seenset("verify", place(name)).trim()
            .replace(place(name), name);
        await page.locator("#use .sound").getByText(verified, {exact: true})
            .waitFor();
        assert.deepEqual(await rows_without_memory(page),
                         native_rows(place(name)), name);
        assert.equal(await pictures(page, name), "the same", name);
        const saved = await get_set(page);
        assert.ok(saved.bytes.equals(readFileSync(place(name))), name);
    }
    await check_axe(page);
});

test("use_asks_a_set", {path: "/#use"}, async ({page}) => {
    seenset("new", "--layout", "counting", "-n", "100", place("asked"));
    seenset("add", place("asked"), "a", "b", "b");
    await drop(zone(page), "asked", readFileSync(place("asked")));
    await page.getByLabel("Keys, one a line").fill("a\nnobody\nb\n");
    await page.locator("#use .answers").waitFor();
    assert.deepEqual(
        await page.locator("#use .answers tbody tr").allInnerTexts(),
        ["a\tseen, 1 copies", "nobody\tnever added", "b\tseen, 2 copies"]);
    await check_axe(page);
    await shot(page, "use-set");
});

test("use_goes_on_with_a_set", {path: "/#use"}, async ({page}) => {
    writeFileSync(place("more.txt"), "line 5000\nline 1\nline 5000\nline 3\n");
    seenset("dedup", "-c", "-n", "10k", "--set", place("goes-on"),
            place("few.txt"));
    await drop(zone(page), "goes-on", readFileSync(place("goes-on")));
    await page.locator("#use .sound").waitFor();
    await offer(page, "more.txt", readFileSync(place("more.txt")));
    for (const [keep, ...words] of [["What the set has seen"],
                                    ["What it has not", "-v"]]) {
        await pick(page, keep);
        await run(page);
        assert.deepEqual((await get_lines(page)).bytes,
            seenset_bytes(["has", ...words, place("goes-on")],
                          readFileSync(place("more.txt"))));
    }
    await pick(page, "Each once");
    await run(page);
    assert.deepEqual((await get_lines(page)).bytes,
        seenset_bytes(["dedup", "--set", place("goes-on"),
                       place("more.txt")]));
    assert.ok((await get_set(page)).bytes
        .equals(readFileSync(place("goes-on"))));
});

test("use_opens_a_keyed_set_with_its_secret", {path: "/#use"},
     async ({page}) => {
    seenset("new", "--keyed", "-n", "100", place("keyed"));
    seenset("add", place("keyed"), "a");
    await drop(zone(page), "keyed", readFileSync(place("keyed")));
    const field = page.getByLabel("Its secret, 32 hexadecimal digits");
    const enter = async (text) => {
        await field.fill(text);
        await page.getByRole("button", {name: "Open it"}).click();
    };
    await enter("no secret");
    await page.getByText("A secret is 32 hexadecimal digits").waitFor();
    await check_axe(page);
    await enter("0".repeat(32));
    await page.getByText("That is not its secret.").waitFor();
    await enter(readFileSync(place("keyed.secret"), "utf8"));
    await page.locator("#use .sound").waitFor();
    assert.deepEqual(await rows_without_memory(page),
                     native_rows(place("keyed")));
});

/** What the command says of a damaged file: where, of what, why. */
function native_damage(name) {
    try {
        seenset("verify", place(name));
    } catch ({stderr}) {
        return stderr.toString()
            .match(/\(at byte (\d+) of (\d+): (.*)\); /).slice(1);
    }
    return [];
}

test("use_says_where_a_set_is_damaged", {path: "/#use"}, async ({page}) => {
    seenset("new", "-n", "10k", place("sound"));
    const bytes = readFileSync(place("sound"));
    const flipped = Buffer.from(bytes);
    flipped[bytes.length >> 1] ^= 1;
    for (const [name, damaged] of [["flipped", flipped],
                                   ["short", bytes.subarray(0, 1000)]]) {
        writeFileSync(place(name), damaged);
        await drop(zone(page), name, damaged);
        const alert = page.locator("#use .set").getByRole("alert");
        await alert.getByText(name).waitFor();
        const found = (await alert.innerText())
            .match(/at byte ([\d,]+) of ([\d,]+): (.*)\. Restore/).slice(1)
            .map((text) => text.replace(/(?<=\d),(?=\d{3})/g, ""));
        assert.deepEqual(found, native_damage(name));
    }
});

test("use_fits_on_a_narrow_screen",
     {path: "/#use", viewport: {width: 320, height: 640}},
     async ({page}) => {
    await drop_and_run(page, "a-name-that-is-long.txt", urls);
    assert.ok(await page.evaluate(() =>
        document.documentElement.scrollWidth <= innerWidth));
    await check_axe(page);
    await shot(page, "use-narrow");
});
