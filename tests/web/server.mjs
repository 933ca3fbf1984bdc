/* The server of `make web-serve`: what it sends, and that it sends nothing from
 * outside of its folder. */
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync}
    from "node:fs";
import {request} from "node:http";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, test} from "node:test";
import {gunzipSync} from "node:zlib";
import {policy, serve} from "../../fronts/web/serve.mjs";
import {source} from "./support/places.mjs";

const work = mkdtempSync(path.join(tmpdir(), "seenset-serve-"));
const folder = path.join(work, "site");
mkdirSync(path.join(folder, "sub"), {recursive: true});
writeFileSync(path.join(folder, "index.html"), "<p>page</p>");
writeFileSync(path.join(folder, "sub", "a.wasm"), Buffer.alloc(5000));
writeFileSync(path.join(folder, "a.png"), "picture");
writeFileSync(path.join(work, "secret"), "secret");
symlinkSync(path.join(work, "secret"), path.join(folder, "link"));
const server = await serve(folder);
after(async () => {
    await server.close();
    rmSync(work, {recursive: true});
});

/** One request with its path as it is written: {status, headers, body}. */
function ask(name, headers = {}, method = "GET") {
    const {hostname, port} = new URL(server.origin);
    return new Promise((resolve, reject) => {
        request({hostname, port, path: name, headers, method}, (response) => {
            const parts = [];
            response.on("data", (part) => parts.push(part));
            response.on("end", () => resolve({
                status: response.statusCode, headers: response.headers,
                body: Buffer.concat(parts)}));
        }).on("error", reject).end();
    });
}

test("server_sends_types_and_policy", async () => {
    const page = await ask("/");
    assert.equal(page.status, 200);
    assert.equal(page.body.toString(), "<p>page</p>");
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(page.headers["content-security-policy"], policy);
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    const module = await ask("/sub/a.wasm");
    assert.equal(module.headers["content-type"], "application/wasm");
    assert.equal((await ask("/index.html?a=b")).status, 200);
});

test("server_compresses_and_counts", async () => {
    const before = server.sent.length;
    const gzipped = await ask("/sub/a.wasm", {"accept-encoding": "br, gzip"});
    assert.equal(gzipped.headers["content-encoding"], "gzip");
    assert.deepEqual(gunzipSync(gzipped.body), Buffer.alloc(5000));
    const picture = await ask("/a.png", {"accept-encoding": "gzip"});
    assert.equal(picture.headers["content-encoding"], undefined);
    assert.deepEqual(server.sent.slice(before), [
        {path: "/sub/a.wasm", status: 200, bytes: gzipped.body.length},
        {path: "/a.png", status: 200, bytes: 7},
    ]);
});

test("server_sends_what_changed", async () => {
    const first = await ask("/");
    const again = await ask("/", {"if-none-match": first.headers.etag});
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    writeFileSync(path.join(folder, "index.html"), "<p>another</p>");
    const changed = await ask("/", {"if-none-match": first.headers.etag});
    assert.equal(changed.body.toString(), "<p>another</p>");
});

test("server_stays_in_its_folder", async () => {
    for (const name of ["/../secret", "/%2e%2e/secret", "/..%2fsecret",
        "/sub/../../secret", "/link", "//secret", "/%00", "/%", "/sub",
        "/sub/", "/nothing", "/..%5csecret"]) {
        const answer = await ask(name);
        assert.equal(answer.status, 404, name);
        assert.equal(answer.headers["content-security-policy"], policy);
    }
    assert.equal((await ask("/", {}, "POST")).status, 405);
    assert.equal((await ask("/", {}, "HEAD")).body.length, 0);
});

test("server_prints_its_address", async () => {
    const program = spawn(process.execPath, [
        path.join(source, "fronts/web/serve.mjs"), folder, "0"]);
    try {
        const line = await new Promise((resolve) =>
            program.stdout.once("data", (data) => resolve(data.toString())));
        const [, origin] = /^The page is at (http:\/\/127\.0\.0\.1:\d+)\//
            .exec(line);
        assert.equal((await fetch(`${origin}/`)).status, 200);
    } finally {
        program.kill();
    }
});
