/*
 * seenset.cjs - for require(), where that takes no module:
 *
 *     const {load} = require('seenset');
 *     load().then(({SeenSet}) => ...);
 *
 * It is the same module, which is imported when load() is called. An error of it
 * has the name 'SeensetError'.
 */
'use strict';

exports.load = async (options) =>
    (await import('./seenset.mjs')).load(options);
