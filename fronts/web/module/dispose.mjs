/*
 * dispose.mjs - the name of the method that `using` calls. Where the host does
 * not have it yet, it is the one that compilers of `using` take.
 */
export const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
