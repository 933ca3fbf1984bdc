/* What may never happen in the page, whatever a test does with it. watch()
 * writes each into a list, and the harness fails a test whose list is not
 * empty at its end:
 *
 *   console    an error or a warning in the console of the page or a worker
 *   page       an exception or a rejection that nobody caught
 *   policy     something that the content security policy forbids
 *   host       a request, or a socket, to anywhere but the page's own origin
 *   request    a request that failed, or that was answered with 400 or more
 *
 * guards.mjs in the folder above plants each of them. */

/** Requests that never leave the browser. */
const is_inside = /^(data|blob|about|chrome-extension):/;

function words_of(request) {
    return `${request.method()} ${request.url()}`;
}

function watch_requests(context, origin, note) {
    context.on("request", (request) => {
        if (!is_inside.test(request.url()) &&
            new URL(request.url()).origin !== origin)
            note("host", words_of(request));
    });
    context.on("response", (response) => {
        if (response.status() >= 400)
            note("request", `${response.status()} ${response.url()}`);
    });
    const left = watch_leaving(context);
    context.on("requestfailed", (request) => {
        const why = request.failure()?.errorText;
        const is_left = left.has(request) || why === "net::ERR_ABORTED";
        if (!is_inside.test(request.url()) && !is_left)
            note("request", `${words_of(request)}: ${why}`);
    });
}

/* What is under way when a page is left or read again, or begins before the
 * next page has come: that it fails is no fault, nor that the service worker,
 * which asked for it, has no answer. */
function watch_leaving(context) {
    const under_way = new Set();
    const left = new WeakSet();
    context.on("request", (request) => {
        if (request.isNavigationRequest())
            under_way.forEach((other) => left.add(other));
        else if ([...under_way].some((other) => other.isNavigationRequest()))
            left.add(request);
        under_way.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"])
        context.on(end, (request) => under_way.delete(request));
    return left;
}

/* The event reaches the test by a function of the page's own; one in a worker
 * is in the console. */
async function watch_policy(context, note) {
    await context.exposeFunction("noteViolation", (what) =>
        note("policy", what));
    await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
            globalThis.noteViolation(
                `${event.effectiveDirective} forbids ` +
                (event.blockedURI || event.sample || "something"));
        });
    });
}

/**
 * Watches all pages of a browser context.
 * @returns {Promise<string[]>} the list, which grows: "kind: what happened"
 */
export async function watch(context, origin) {
    const faults = [];
    const note = (kind, what) => faults.push(`${kind}: ${what}`);
    context.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
            note("console", message.text());
    });
    context.on("weberror", (error) =>
        note("page", error.error()?.stack ?? String(error.error())));
    context.on("page", (page) => page.on("websocket", (socket) => {
        if (new URL(socket.url()).host !== new URL(origin).host)
            note("host", socket.url());
    }));
    watch_requests(context, origin, note);
    await watch_policy(context, note);
    return faults;
}
