/*
 * foreign.cjs - foreign.mjs for require(), where that takes no module.
 */
'use strict';

exports.openForeign = async (...given) =>
    (await import('./foreign.mjs')).openForeign(...given);
