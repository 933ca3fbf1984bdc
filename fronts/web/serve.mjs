/* Serves a folder of static files to this machine alone, as a careful static
 * host would: the address is a loopback one, each file has its type, a strict
 * content security policy and an ETag, and text and WebAssembly are sent
 * gzipped. It needs Node and nothing else.
 *
 *     node serve.mjs FOLDER [PORT]
 *
 * prints the address and serves until it is stopped. Without a port it takes
 * 8017, or any free one where that is taken. The tests call serve() instead,
 * which also keeps a list of what was sent.
 *
 * The page works from any other static host too: nothing here is needed but
 * the types. index.html carries the same policy for hosts without headers. */
import {createHash} from "node:crypto";
import {readFile, realpath, stat} from "node:fs/promises";
import {createServer} from "node:http";
import path from "node:path";
import {pathToFileURL} from "node:url";
import {promisify} from "node:util";
import {gzip} from "node:zlib";

const usual_port = 8017;
const loopback = "127.0.0.1";

/** What the page may do: run its own scripts and WebAssembly, nothing else. */
export const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

/** By the end of a name: its type, and whether gzip makes it smaller. */
const types = {
    ".html": ["text/html; charset=utf-8", true],
    ".css": ["text/css; charset=utf-8", true],
    ".mjs": ["text/javascript; charset=utf-8", true],
    ".js": ["text/javascript; charset=utf-8", true],
    ".ts": ["text/plain; charset=utf-8", true],
    ".json": ["application/json", true],
    ".webmanifest": ["application/manifest+json", true],
    ".svg": ["image/svg+xml", true],
    ".wasm": ["application/wasm", true],
    ".txt": ["text/plain; charset=utf-8", true],
    ".md": ["text/plain; charset=utf-8", true],
    ".png": ["image/png", false],
};
const unknown_type = ["application/octet-stream", false];

const compress = promisify(gzip);

/** The file that a request's path names inside the folder, or null. */
async function find(folder, url) {
    let name;
    try {
        name = decodeURIComponent(new URL(`http://host${url}`).pathname);
    } catch {
        return null;
    }
    if (name.includes("\0"))
        return null;
    const wanted = path.join(folder, name, name.endsWith("/") ? "index.html"
                                                              : "");
    try {
        const file = await realpath(wanted);
        const is_inside = file.startsWith(folder + path.sep);
        return is_inside && (await stat(file)).isFile() ? file : null;
    } catch {
        return null;
    }
}

/** A file as it is sent: {bytes, type, tag, encoding}; compressed once. */
async function load(file, accepts_gzip, kept) {
    const {mtimeMs, size} = await stat(file);
    const [type, is_smaller] = types[path.extname(file)] ?? unknown_type;
    const encoding = accepts_gzip && is_smaller ? "gzip" : null;
    const key = `${file} ${mtimeMs} ${size} ${encoding}`;
    if (!kept.has(key)) {
        const plain = await readFile(file);
        const bytes = encoding ? await compress(plain, {level: 9}) : plain;
        const digest = createHash("sha256").update(bytes).digest("base64url");
        kept.set(key, {bytes, type, encoding, tag: `"${digest.slice(0, 22)}"`});
    }
    return kept.get(key);
}

function headers_of(sent) {
    return {
        "Content-Type": sent.type,
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
        "ETag": sent.tag,
        "Vary": "Accept-Encoding",
        ...(sent.encoding && {"Content-Encoding": sent.encoding}),
    };
}

function refuse(response, status, words) {
    response.writeHead(status, {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
    });
    response.end(words + "\n");
    return 0;
}

/** Answers one request; returns how many bytes of a body were sent. */
async function answer(request, response, folder, kept) {
    if (request.method !== "GET" && request.method !== "HEAD")
        return refuse(response, 405, "Only GET and HEAD work here.");
    const file = await find(folder, request.url);
    if (file === null)
        return refuse(response, 404, "There is no such file here.");
    const accepts = request.headers["accept-encoding"] ?? "";
    const sent = await load(file, /\bgzip\b/.test(accepts), kept);
    if (request.headers["if-none-match"] === sent.tag) {
        response.writeHead(304, headers_of(sent));
        response.end();
        return 0;
    }
    response.writeHead(200, {...headers_of(sent),
                             "Content-Length": sent.bytes.length});
    response.end(request.method === "HEAD" ? undefined : sent.bytes);
    return request.method === "HEAD" ? 0 : sent.bytes.length;
}

function listen(server, port) {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, loopback, () => {
            server.off("error", reject);
            resolve(server.address().port);
        });
    });
}

/**
 * Serves a folder on a loopback address.
 * @param {string} folder
 * @param {number} [port] 0: any that is free
 * @returns {Promise<{origin: string, close: () => Promise<void>,
 *     sent: {path: string, status: number, bytes: number}[]}>} `sent` grows by
 *     one entry for each request
 */
export async function serve(folder, port = 0) {
    const root = await realpath(folder);
    const kept = new Map();
    const sent = [];
    const server = createServer(async (request, response) => {
        try {
            const bytes = await answer(request, response, root, kept);
            sent.push({path: request.url, status: response.statusCode, bytes});
        } catch (error) {
            refuse(response, 500, "This file could not be read.");
            sent.push({path: request.url, status: 500, bytes: 0});
        }
    });
    const taken = await listen(server, port);
    const close = () => new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
    });
    return {origin: `http://${loopback}:${taken}`, close, sent};
}

/** On the port asked for; on the usual one, or a free one, without. */
async function serve_somewhere(folder, port) {
    if (port !== undefined)
        return serve(folder, Number(port));
    try {
        return await serve(folder, usual_port);
    } catch (error) {
        if (error.code !== "EADDRINUSE")
            throw error;
        return serve(folder, 0);
    }
}

async function main([folder, port]) {
    if (folder === undefined || !(Number(port ?? 0) >= 0)) {
        console.error("usage: node serve.mjs FOLDER [PORT]");
        process.exitCode = 2;
        return;
    }
    try {
        const {origin} = await serve_somewhere(folder, port);
        console.log(`The page is at ${origin}/ (Ctrl-C stops it)`);
    } catch (error) {
        console.error(`serve: ${folder}: ${error.message}`);
        process.exitCode = 1;
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
    await main(process.argv.slice(2));
