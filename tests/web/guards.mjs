/* The harness itself, on a page of its own (fixture/): it drives what is there
 * and finds no fault, and it finds each fault that is planted. */
import assert from "node:assert/strict";
import {fileURLToPath} from "node:url";
import {axe_violations, download, drop, open, settle, test,
        test_alone} from "./harness.mjs";

const folder = fileURLToPath(new URL("fixture/", import.meta.url));

test("fixture_is_driven", {folder}, async ({page}) => {
    await page.getByLabel("A number").fill("21");
    assert.equal(await page.locator("#doubled").textContent(), "42");
    await drop(page.locator("#place"), "a.txt", Buffer.from("a\n"));
    await page.getByText("a.txt: a").waitFor();
    const saved = await download(page, () => page.locator("#save").click());
    assert.equal(saved.name, "saved.txt");
    assert.equal(saved.bytes.toString(), "saved");
    assert.deepEqual(await axe_violations(page), []);
});

/** Does `fault` in the page; the guards must note it as one of that kind. */
function planted(kind, name, fault) {
    test_alone(`guard_finds_${name}`, async () => {
        const {page, faults, close} = await open({folder});
        try {
            await settle(page);
            assert.deepEqual(faults, [], "before");
            await page.evaluate(fault);
            for (let i = 0; i < 600 && !faults.length; i++)
                await settle(page);
            await settle(page);
            assert.ok(faults.some((line) => line.startsWith(`${kind}: `)),
                      `no ${kind} among: ${faults.join("; ")}`);
        } finally {
            await close();
        }
    });
}

planted("console", "error_in_console", () => console.error("planted"));
planted("console", "warning_in_console", () => console.warn("planted"));
planted("page", "exception", () => {
    setTimeout(() => { throw new Error("planted"); }, 0);
});
planted("page", "rejection", () => {
    Promise.reject(new Error("planted"));
});
planted("policy", "inline_script", () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.planted = 1";
    document.body.append(script);
});
planted("policy", "style_attribute", () => {
    document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>");
});
planted("policy", "eval", () => {
    const script = document.createElement("script");
    script.src = "planted_eval.js";
    document.body.append(script);
});
planted("policy", "fetch_from_another_host", () => {
    fetch("http://example.com/").catch(() => {});
});
/* The policy forbids these first; a link is a way that is left. */
planted("host", "link_to_another_host", () => {
    open("http://127.0.0.1:1/planted");
});
planted("request", "missing_file", () => {
    fetch("no_such_file").catch(() => {});
});
planted("console", "error_in_worker", () => {
    globalThis.planted = new Worker("planted_worker.js");
});

test_alone("axe_finds_faint_text_and_missing_label", async () => {
    const {page, close} = await open({folder});
    try {
        await page.evaluate(() => {
            document.getElementById("dropped").className = "faint";
            document.querySelector("main").append(
                document.createElement("input"));
        });
        const found = await axe_violations(page);
        for (const rule of ["color-contrast: ", "label: "])
            assert.ok(found.some((line) => line.startsWith(rule)), rule);
    } finally {
        await close();
    }
});
