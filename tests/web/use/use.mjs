/* The panel "Use it", driven as a person would: files lose their duplicates.
 * What the page shows and what it gives for download are those of the native
 * command, byte for byte. */
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, truncateSync, writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";
import {check_axe, drop, seenset, seenset_bytes, shot, test}
    from "../harness.mjs";
import {command, drop_and_run, fact, get_lines, get_set, native_rows,
        native_stats, numbered, offer, pick, place, rows_without_memory, run,
        start_button, zone} from "../support/use_panel.mjs";

/** The stream of `make demo`: the home pages of all Debian packages. */
function real_urls() {
    const available = execFileSync("sh", ["-c", "apt-cache dumpavail || :"],
                                   {maxBuffer: 1 << 30}).toString("latin1");
    const urls = [...available.matchAll(/^Homepage: *(.*)$/gm)];
    return Buffer.from(urls.map(([, url]) => url + "\n").join(""), "latin1");
}
const urls = real_urls();
writeFileSync(place("urls.txt"), urls);

writeFileSync(place("few.txt"), numbered(1000));

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
    const wrong = stats["wrongly dropped"].split(",")[0];
    assert.ok(Number(wrong) > 0 && Number(wrong) < 1, wrong);
    for (const card of [".result", ".set"]) {
        const [, chance] = /the chance that .* by mistake is at most (\S+) \(1 in /
            .exec(await page.locator(`#use ${card}`).innerText());
        assert.ok(Math.abs(chance / wrong - 1) < 0.01, chance);
    }

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

/* An old browser has no DecompressionStream, and says what it lacks. */
test("use_tells_that_it_cannot_unpack", {path: null},
     async ({page, origin}) => {
    await page.route("**/use/worker.mjs", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({response: answer, body:
            `delete globalThis.DecompressionStream;${await answer.text()}`});
    });
    await page.goto(`${origin}/#use`);
    await drop(zone(page), "few.txt.gz", gzipSync(numbered(9)));
    await page.getByRole("alert").getByText("cannot unpack gzip").waitFor();
    await drop_and_run(page, "few.txt", Buffer.from(numbered(9)));
    assert.equal(await page.getByRole("alert").isVisible(), false);
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
    for (const layout of ["bloom", "split_block", "fingerprint",
                          "counting"]) {
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
    await page.locator("#use [role=status]").getByText("Cancelled. Nothing")
        .waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.ok(await page.locator("#use .result").isHidden());
    assert.ok(await page.locator("#use .running").isHidden());
    await drop_and_run(page, "a.txt", Buffer.from("a\na\n"));
    assert.equal((await get_lines(page)).bytes.toString(), "a\n");
});

/* ---- where the output goes ---- */

const long_text = numbered(600_000, " and some more to make it longer");

/* The set of 61 MB has the browser collect garbage while the file is read. */
test("use_keeps_much_output_on_the_disk", {path: "/#use?n=10M"},
     async ({page}) => {
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
