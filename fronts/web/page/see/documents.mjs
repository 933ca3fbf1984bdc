/*
 * documents.mjs - what the examples A to E need beside a filter of one's own:
 * how the schemes of their documents make places, and their numbers. Fetched
 * when one of them is looked at.
 */
export {foreignSteps} from './foreign.mjs';
export {rowA1, rowA2, rowB, rowC, rowD1, rowD2, rowE} from './numbers.mjs';
