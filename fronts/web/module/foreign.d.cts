/*
 * foreign.d.cts - the types of foreign.cjs, which are those of foreign.d.ts.
 */
export type * from './foreign.js' with {'resolution-mode': 'import'};
import type * as esm from './foreign.js' with {'resolution-mode': 'import'};

/** Opens a file of another system. */
export const openForeign: typeof esm.openForeign;
