/* What a narrow screen cuts off, and what a keyboard does not reach. */

/** Run in the page: what ends right of the screen, where nothing scrolls. */
export function wide() {
    const width = document.documentElement.clientWidth;
    const is_wide = (element) =>
        element.getBoundingClientRect().right > width + 0.5;
    const scrolls = (element) => /auto|scroll/.test(
        getComputedStyle(element).overflowX) && !is_wide(element);
    const is_inside = (element) => {
        for (let e = element; e !== document.body; e = e.parentElement)
            if (scrolls(e))
                return true;
        return false;
    };
    return [...document.body.querySelectorAll("*")]
        .filter((element) => element.checkVisibility() && is_wide(element) &&
                !is_inside(element))
        .map((element) => element.outerHTML.slice(0, 100));
}

/* Run in the page: gives each element that Tab should reach a number, and
 * keeps how it looks without the focus. Of a group of radio buttons one is
 * reached, as browsers do. */
function number_all() {
    const look = (element) => {
        const style = getComputedStyle(element);
        return [style.outlineStyle, style.outlineWidth, style.boxShadow,
                style.borderColor, style.backgroundColor,
                style.textDecorationLine].join(" ");
    };
    /* A file input that is not seen shows its focus at its label. */
    const shown_at = (element) =>
        [element, ...(element.labels ?? []), element.parentElement];
    globalThis.look_of = (element) => shown_at(element).map(look).join("\n");
    const is_chosen = (element) => element.type !== "radio" ||
        element.checked;
    const all = [...document.querySelectorAll(
        "a[href], button, input, select, textarea, summary, [tabindex]")]
        .filter((element) => element.tabIndex >= 0 && !element.disabled &&
                element.checkVisibility({visibilityProperty: true}) &&
                is_chosen(element));
    all.forEach((element, i) => {
        element.dataset.tested = String(i);
        element.dataset.look = globalThis.look_of(element);
    });
    return all.map((element) => element.outerHTML.slice(0, 100));
}

/* Run in the page: which element has the focus, and whether that is seen. */
function at_focus() {
    const element = document.activeElement;
    return {number: Number(element?.dataset.tested ?? -1),
            is_seen: globalThis.look_of(element) !== element.dataset.look};
}

/** What Tab does not reach from the top, or shows no focus when it does. */
export async function unreached(page) {
    const all = await page.evaluate(number_all);
    const reached = new Set();
    const unseen = new Set();
    for (let i = 0; i < 2 * all.length + 20; i++) {
        await page.keyboard.press("Tab");
        const {number, is_seen} = await page.evaluate(at_focus);
        reached.add(number);
        if (number >= 0 && !is_seen)
            unseen.add(number);
        if (reached.size > all.length)
            break;
    }
    return all.flatMap((words, i) =>
        !reached.has(i) ? [`not reached: ${words}`]
        : unseen.has(i) ? [`no focus is seen: ${words}`] : []);
}
