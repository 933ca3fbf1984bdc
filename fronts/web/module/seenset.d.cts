/*
 * seenset.d.cts - the types of seenset.cjs, which are those of seenset.d.ts.
 */
export type * from './seenset.js' with {'resolution-mode': 'import'};
import type * as esm from './seenset.js' with {'resolution-mode': 'import'};

/** Loads the module. Calls without options share one instance. */
export const load: typeof esm.load;
