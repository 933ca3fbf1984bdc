/* The panel "Use it": a set is not lost, neither by a run that fails nor by one
 * that is cancelled, nor without a question; and what is tried first: the
 * sample, pasted text, more files than one, and a file that is no text. */
import assert from "node:assert/strict";
import {readFileSync, truncateSync, writeFileSync} from "node:fs";
import {check_axe, download, drop, seenset, seenset_bytes, shot, test} from
        "../harness.mjs";
import {drop_and_run, get_lines, get_set, numbered, offer, pick, place, run,
        start_button, zone} from "../support/use_panel.mjs";

const few = Buffer.from(numbered(1000));
writeFileSync(place("a.csv"), "url,v\na,1\n");
writeFileSync(place("b.csv"), "id,w\nb,1\n");
writeFileSync(place("large"), "");
truncateSync(place("large"), 1 << 30); /* a GiB of NUL, not on the disk */

const go_on = (page) => page.getByLabel("Go on with the set below").check();
const set_card = (page) => page.locator("#use .set");
const question = (page) => page.getByRole("group",
    {name: "The set is not saved"});
const button = (page, name) => page.getByRole("button", {name});

/** Starts with files that cannot be run together. */
async function fail(page) {
    await page.getByLabel("Choose files").setInputFiles(
        [place("a.csv"), place("b.csv")]);
    await page.locator("#use .files").getByText("b.csv").waitFor();
    await start_button(page).click();
    await page.getByRole("alert").getByText("no column of that name").waitFor();
}

/** Starts, and cancels when some lines were read. */
async function cancel(page, name) {
    await page.getByLabel("Choose files").setInputFiles(place(name));
    await page.locator("#use .files").getByText(name).waitFor();
    await start_button(page).click();
    await page.locator("#use .running .note")
        .getByText(/[1-9][\d,]* lines/).waitFor();
    await button(page, "Cancel").click();
    await page.locator("#use [role=status]").getByText("as it was before")
        .waitFor();
}

test("use_keeps_the_set_of_a_run_that_fails_or_is_cancelled", {path: "/#use"},
     async ({page}) => {
    await drop_and_run(page, "few.txt", few);
    const {bytes} = await get_set(page);
    for (const keep of ["What it has not", "Each once"])
        for (const stop of [fail, (one) => cancel(one, "large")]) {
            await go_on(page);
            await pick(page, keep);
            await stop(page);
            assert.ok(await set_card(page).isVisible(), keep);
            assert.ok((await get_set(page)).bytes.equals(bytes), keep);
        }
    /* The planted fault: a run that ends does change it. */
    await page.getByRole("radio", {name: "A line"}).check();
    await drop_and_run(page, "new.txt", Buffer.from("not yet\n"));
    assert.ok(!(await get_set(page)).bytes.equals(bytes));
});

test("use_asks_before_an_unsaved_set_is_replaced", {path: "/#use"},
     async ({page}) => {
    await drop_and_run(page, "few.txt", few);
    const {bytes} = await get_set(page);
    await drop_and_run(page, "few.txt", few); /* saved: nothing is asked */
    assert.ok(await question(page).isHidden());
    await start_button(page).click();
    await question(page).waitFor();
    await check_axe(page);
    await shot(page, "use-unsaved");
    await button(page, "Keep it").click();
    assert.ok(await question(page).isHidden());
    assert.ok(await set_card(page).isVisible());
    await start_button(page).click();
    const saved = await download(page, () =>
        button(page, "Save it first").click());
    assert.ok(saved.bytes.equals(bytes));
    await page.locator("#use .result h2").waitFor();
});

test("use_warns_when_the_page_is_left", {path: "/#use"}, async ({page}) => {
    const asked = [];
    page.on("dialog", async (dialog) => {
        asked.push(dialog.type());
        await dialog.dismiss();
    });
    await drop_and_run(page, "few.txt", few);
    await page.close({runBeforeUnload: true});
    for (let i = 0; i < 600 && asked.length === 0; i++)
        await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(asked, ["beforeunload"]);
    await get_set(page);
    await page.reload(); /* it is saved */
    await zone(page).waitFor();
    assert.deepEqual(asked, ["beforeunload"]);
});

test("use_has_a_sample_and_shows_what_is_kept", {path: "/#use"},
     async ({page}) => {
    await button(page, "Try it with 1,000 URLs").click();
    await page.locator("#use .result h2").waitFor();
    const shown = await page.locator("#use .shown code").textContent();
    const {bytes} = await get_lines(page);
    assert.equal(shown, bytes.toString());
    const kept = shown.trimEnd().split("\n");
    assert.equal(new Set(kept).size, kept.length);
    assert.equal(await page.locator("#use .result h2").innerText(),
                 `${kept.length} of 1,000 lines are left`);
    await check_axe(page);
    await shot(page, "use-sample");
    await page.getByText("Or paste text").click();
    await page.getByLabel("Text, one line each").fill("a\nb\na\n");
    await button(page, "Take this text").click();
    await run(page);
    assert.equal(await page.locator("#use .shown code").textContent(),
                 "a\nb\n");
});

test("use_asks_for_all_keys", {path: "/#use"}, async ({page}) => {
    await drop_and_run(page, "few.txt", few);
    await page.getByLabel("Keys, one a line").fill(
        Array.from({length: 1500}, (_, i) => `line ${i}`).join("\n"));
    await page.getByText(
        "667 of 1,500 keys were seen. The first 1,000 answers are shown.")
        .waitFor();
    assert.equal(await page.locator("#use .answers tbody tr").count(), 1000);
});

test("use_compares_and_unites_sets", {path: "/#use"}, async ({page}) => {
    const lines = (from, to) => Array.from({length: to - from}, (_, i) =>
        `key ${from + i}\n`).join("");
    for (const [name, from, to] of [["a.seen", 0, 2000],
                                    ["b.seen", 1500, 4500]]) {
        seenset("new", "--force", "-n", "5000", place(name));
        seenset_bytes(["add", place(name)], lines(from, to));
    }
    await page.getByLabel("Choose files").setInputFiles(
        [place("a.seen"), place("b.seen")]);
    await page.locator("#use .sound").getByText(/^a\.seen: sound/).waitFor();
    await button(page, "Compare it with b.seen").click();
    const said = page.locator("#use .others [role=status]");
    await said.getByText("In either:").waitFor();
    const native = seenset("diff", place("a.seen"), place("b.seen"));
    const wanted = ["in both", "only in A", "only in B", "in either"].map(
        (name) => new RegExp(`^${name} +about ([\\d,]+) keys, \\+- ([\\d,]+)$`,
                             "m").exec(native).slice(1));
    assert.deepEqual([...(await said.innerText()).matchAll(
        /about ([\d,]+) keys \(± ([\d,]+)\)/g)].map((one) =>
        one.slice(1)), wanted);
    await check_axe(page);
    await button(page, "Add the keys of b.seen").click();
    await said.getByText("The keys of b.seen are in the set").waitFor();
    await page.getByText("Save it to keep it").waitFor();
    seenset("merge", "--force", place("both.seen"), place("a.seen"),
            place("b.seen"));
    const union = await get_set(page);
    assert.equal(union.name, "union.seen");
    assert.ok(union.bytes.equals(readFileSync(place("both.seen"))));
    assert.ok(!union.bytes.equals(readFileSync(place("a.seen"))));
    await button(page, "Open b.seen").click();
    await page.locator("#use .sound").getByText(/^b\.seen: sound/).waitFor();
    await button(page, "Compare it with a.seen").waitFor();
    /* One whose bits are all set: its keys cannot be counted. */
    seenset("new", "--force", "--layout", "bloom", "-n", "100", "-p", "0.1",
            "--on-full", "degrade", place("full.seen"));
    seenset_bytes(["add", place("full.seen")], lines(0, 20000));
    seenset("new", "--force", "--layout", "bloom", "-n", "100", "-p", "0.1",
            place("small.seen"));
    await page.getByLabel("Choose files").setInputFiles(
        [place("full.seen"), place("small.seen")]);
    await button(page, "Compare it with small.seen").click();
    await said.getByText("In either: cannot be estimated.").waitFor();
    /* One that cannot be united is told, and the set stays. */
    seenset("new", "--force", "--layout", "bloom", "-m", "4096b", "-k", "3",
            place("other.seen"));
    await page.getByLabel("Choose files").setInputFiles(
        [place("a.seen"), place("other.seen")]);
    await button(page, "Add the keys of other.seen").click();
    await page.locator("#use").getByRole("alert").first().waitFor();
    assert.ok((await get_set(page)).bytes.equals(
        readFileSync(place("a.seen"))));
});

test("use_takes_several_sets_and_knows_parquet", {path: "/#use"},
     async ({page}) => {
    for (const name of ["one.seen", "two.seen"]) {
        seenset("new", "--force", "-n", "100", place(name));
        seenset_bytes(["add", place(name)], `${name}\n`);
    }
    await page.getByLabel("Choose files").setInputFiles(
        [place("one.seen"), place("two.seen")]);
    await page.getByText("2 set files came").waitFor();
    await page.locator("#use .sound").getByText(/^one\.seen: sound/).waitFor();
    await button(page, "Open two.seen").click();
    await page.locator("#use .sound").getByText(/^two\.seen: sound/).waitFor();
    assert.ok((await get_set(page)).bytes.equals(
        readFileSync(place("two.seen"))));
    await drop(zone(page), "people.parquet", Buffer.from("PAR1\0\x15\x04PAR1"));
    await page.getByRole("alert").getByText("people.parquet is damaged")
        .waitFor();
    assert.ok(await page.locator("#use form.settings").isHidden());
    await offer(page, "picture.bin", Buffer.from(
        Array.from({length: 4096}, (_, i) => (i * 7) % 256)));
    await page.getByText("It looks like a binary file").waitFor();
});
