// url_oracle.mjs - what Node's new URL() makes of the URLs in golden/urls.txt.
//
// Writes golden/urls-expected.txt, a line for each URL: its normal form, or
// "!" where new URL() throws. The tests compare the library with that file
// and so need no Node; it is only needed to make the file again after a change
// of urls.txt:
//
//     node tests/url_oracle.mjs            writes the file
//     node tests/url_oracle.mjs --check    exits 1 if the file would change
//
// new URL() follows the URL standard, and seenset goes a few steps further.
// Those steps are applied here too, in code that shares nothing with src/, so
// that the file says exactly what is expected. docs/urls.md has the reasons.
import { readFileSync, writeFileSync } from "node:fs";

const golden = new URL("golden/", import.meta.url);
const expectedFile = new URL("urls-expected.txt", golden);

// A line of urls.txt: \\ is a backslash, \xNN the character of that number.
function unquote(line) {
  return line.replace(/\\(\\|x[0-9a-f]{2})/g, (_, escape) =>
    escape === "\\" ? "\\" : String.fromCharCode(parseInt(escape.slice(1), 16)));
}

const hex = (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");

// A part of href, which is ASCII, as a strict RFC 3986 URI spells it:
function strict(text) {
  return text
    // a "%" that begins no escape is one itself,
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    // as is each character that RFC 3986 does not allow there;
    .replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/g, hex)
    // escapes are in upper case, and unreserved characters are not escaped.
    .replace(/%[0-9A-Fa-f]{2}/g, (escape) => {
      const c = String.fromCharCode(parseInt(escape.slice(1), 16));
      return /[A-Za-z0-9\-._~]/.test(c) ? c : escape.toUpperCase();
    });
}

function expected(url) {
  if (!URL.canParse(url)) return "!";
  const [href] = new URL(url).href.split("#"); // no fragment
  const parts = /^(https?:\/\/)([^/?]*@)?([^/?@]*)([^?]*)(\?.*)?$/.exec(href);
  if (parts === null) return "!"; // another scheme
  const [, scheme, user = "", host, path, query = ""] = parts;
  return scheme + strict(user) + host + strict(path) + strict(query);
}

const lines = readFileSync(new URL("urls.txt", golden), "utf8")
  .split("\n").slice(0, -1).filter((line) => !line.startsWith("#"));
const text = lines.map((line) => expected(unquote(line)) + "\n").join("");

if (process.argv[2] === "--check") {
  const isSame = readFileSync(expectedFile, "utf8") === text;
  console.log(`${lines.length} URLs: ${isSame ? "as expected" : "CHANGED"}`);
  process.exit(isSame ? 0 : 1);
}
writeFileSync(expectedFile, text);
