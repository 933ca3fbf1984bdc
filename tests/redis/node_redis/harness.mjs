/* What the tests of node-redis share. The package is one that npm fetched into
 * the folder $SEENSET_REDIS_TOOLS; the server's port is $SEENSET_REDIS_PORT. */
import {createRequire} from 'node:module';
import path from 'node:path';
import {test} from 'node:test';

const {SEENSET_REDIS_PORT: port, SEENSET_REDIS_TOOLS: tools} = process.env;
const {createClient, RESP_TYPES} =
    createRequire(path.join(tools, 'package.json'))('redis');

/** Bulk strings as bytes, which a dump's chunks are. */
export const asBytes = {[RESP_TYPES.BLOB_STRING]: Buffer};

/** Maps as Map. */
export const asMap = {[RESP_TYPES.MAP]: Map};

/**
 * The test in each protocol, with a client of its own and no key.
 * @param {string} name
 * @param {(client, RESP: 2|3) => Promise<void>} check
 */
export function inBoth(name, check) {
    for (const RESP of [2, 3])
        test(`${name}_resp${RESP}`, () => withClient(RESP, check));
}

async function withClient(RESP, check) {
    const client = createClient({
        RESP,
        socket: {host: '127.0.0.1', port, reconnectStrategy: false},
    });
    /* What goes wrong in a call rejects that call as well. */
    client.on('error', (error) => console.log(error));
    await client.connect();
    try {
        await client.flushAll();
        await check(client, RESP);
    } finally {
        client.destroy();
    }
}

/** That many items, each another one. */
export function someItems(count) {
    return Array.from({length: count}, (_, i) => `https://example.org/${i}`);
}

/**
 * All chunks of a filter, by the loop that the client's users write.
 * @param filters client.bf or client.cf, which maps bulk strings to bytes
 */
export async function dump(filters, key) {
    const chunks = [];
    for (let iterator = 0;;) {
        const part = await filters.scanDump(key, iterator);
        iterator = part.iterator;
        if (iterator === 0)
            return chunks;
        chunks.push(part);
    }
}
