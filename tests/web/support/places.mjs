/* Where the tests of the page find what they need: the page as `make web`
 * built it, the native command, and the npm packages of package.json. Each has
 * its usual folder under build/, so that a file of tests runs by itself:
 *
 *     node tests/web/size.mjs
 *
 * and each can be named by the environment, as run.sh does. */
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const place = (name, fallback) =>
    path.resolve(process.env[name] ?? path.join(source, fallback));

export const source = fileURLToPath(new URL("../../../", import.meta.url));
/** The static files of the page. */
export const site = place("SEENSET_WEB_SITE", "build/web");
/** The native build: build/release/seenset is the command. */
export const native = place("SEENSET_BUILD", "build/release");
/** Where `npm ci` put the packages. */
export const tools = place("SEENSET_WEB_TOOLS", "build/web-tests");
/** Screenshots and what else a person may want to look at. */
export const output = place("SEENSET_WEB_OUTPUT", "build/web-tests/output");

/** The same for tests/web/bundlers/package.json. */
export const bundlers = place("SEENSET_BUNDLERS", "build/bundlers");

/** Chromium without windows, where it is; else the whole one. */
export const chromium_command = process.env.CHROMIUM ??
    ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
        .find((name, i) => i > 0 || existsSync(name));
export const firefox_command = process.env.FIREFOX ?? "/usr/bin/firefox-esr";

const installed = createRequire(path.join(tools, "package.json"));

/** The file of an npm package, as in tool_file("axe-core/axe.min.js"). */
export function tool_file(name) {
    return installed.resolve(name);
}

/** An npm package of package.json, imported. */
export async function tool(name) {
    const imported = await import(pathToFileURL(tool_file(name)));
    return imported.default ?? imported;
}
