/* The panel "Use it": sets are opened, asked and saved as the native command
 * does it. */
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {check_axe, drop, seenset, seenset_bytes, shot, test} from
        "../harness.mjs";
import {drop_and_run, fact, get_lines, get_set, native_rows, numbered, offer,
        pick, place, rows_without_memory, run, zone}
    from "../support/use_panel.mjs";

writeFileSync(place("few.txt"), numbered(1000));

/* ---- sets ---- */

/** Makes sets of the command, of every kind. */
function make_sets() {
    const text = numbered(3000);
    writeFileSync(place("keys"), text);
    const made = [["blocked"], ["bloom", "--layout", "bloom", "-k", "7"],
                  ["counting", "--layout", "counting"],
                  ["taken", "--layout", "fingerprint"],
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

/** Leaves out what is larger where an address is. */
function drop_sizes(...lists) {
    for (const rows of lists) {
        assert.ok(rows.length > 10);
        for (const [i, row] of rows.entries())
            rows[i] = row.replace(/^(size|bits set) .*|, [0-9.]* kB$/, "");
    }
}

test("use_opens_sets_of_the_command", {path: "/#use"}, async ({page}) => {
    for (const name of make_sets()) {
        await drop(zone(page), name, readFileSync(place(name)));
        const verified = seenset("verify", place(name)).trim()
            .replace(place(name), name);
        await page.locator("#use .sound").getByText(verified, {exact: true})
            .waitFor();
        const [ours, theirs] = [await rows_without_memory(page),
                                native_rows(place(name))];
        if (name === "grown") /* a table that grows has all of its memory */
            drop_sizes(ours, theirs);
        assert.deepEqual(ours, theirs, name);
        assert.equal(await pictures(page, name), "the same", name);
        const saved = await get_set(page);
        assert.ok(saved.bytes.equals(readFileSync(place(name))), name);
    }
    await check_axe(page);
});

for (const layout of ["counting", "fingerprint"])
    test(`use_asks_a_set_of_${layout}`, {path: "/#use"}, async ({page}) => {
        seenset("new", "--force", "--layout", layout, "-n", "100",
                place("asked"));
        seenset("add", place("asked"), "a", "b", "b");
        await drop(zone(page), "asked", readFileSync(place("asked")));
        await page.getByLabel("Keys, one a line").fill("a\nnobody\nb\n");
        await page.locator("#use .answers").waitFor();
        assert.deepEqual(
            await page.locator("#use .answers tbody tr").allInnerTexts(),
            ["a\tseen, 1 copies", "nobody\tnever added", "b\tseen, 2 copies"]);
        await check_axe(page);
        await shot(page, `use-set-${layout}`);
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
        /* Of two lines that were not seen, at the rate now: of this run. */
        const {current_fp_rate: rate} =
            JSON.parse(seenset("info", "--json", place("goes-on")));
        const asked = await fact(page, "wrong_asked");
        assert.ok(Math.abs(parseFloat(asked) / (2 * rate) - 1) < 0.01, asked);
        assert.equal(await page.locator("#use .result [data-fact=wrong_ever]")
            .count(), 0);
    }
    await pick(page, "Each once");
    await run(page);
    assert.match(await fact(page, "wrong_ever"), /expected$/);
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
    await drop_and_run(page, "a-name-that-is-long.txt",
                       Buffer.from(numbered(60_000)));
    assert.ok(await page.evaluate(() =>
        document.documentElement.scrollWidth <= innerWidth));
    await check_axe(page);
    await shot(page, "use-narrow");
});
