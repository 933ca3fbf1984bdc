/*
 * client.mjs - the page's end of worker.mjs: calls that are answered later.
 *
 * The worker starts at the first call, so the page itself is ready sooner.
 */

/** The errorName where the worker's script did not load. */
export const MISSING = 'missing';

/** An error of the worker. */
export class WorkerError extends Error {
    constructor({message, name, code, report}) {
        super(message);
        this.errorName = name;
        this.code = code;
        this.report = report;
    }
}

export function client() {
    const waiting = new Map();
    let worker = null;
    let last = 0;

    const answer = ({data: {id, progress, result, error}}) => {
        const call = waiting.get(id);
        if (progress !== undefined) return call?.tell(progress);
        waiting.delete(id);
        if (error === undefined) call.resolve(result);
        else call.reject(new WorkerError(error));
    };
    /* Without a message it is the worker itself that did not come: the next
     * call tries again. */
    const fail = ({message}) => {
        const error = message ? {message}
            : {message: 'use/worker.mjs', name: MISSING};
        if (!message) worker = null;
        for (const {reject} of waiting.values())
            reject(new WorkerError(error));
        waiting.clear();
    };
    const start = () => {
        const started = new Worker(new URL('./worker.mjs', import.meta.url),
            {type: 'module'});
        started.addEventListener('message', answer);
        started.addEventListener('error', fail);
        return started;
    };
    return {
        /**
         * @param {string} call
         * @param {object} [given]
         * @param {(progress: object) => void} [tell]
         */
        call(call, given = {}, tell = () => {}) {
            worker ??= start();
            const id = ++last;
            return new Promise((resolve, reject) => {
                waiting.set(id, {resolve, reject, tell});
                worker.postMessage({id, call, given});
            });
        },
        /** Ends a run at its next piece. */
        cancel() {
            worker?.postMessage({call: 'cancel'});
        },
    };
}
