/* The panels of the page, and how a test knows that one is there. */

/** The first is what the page shows without a fragment in its address. */
export const panels = ["start", "see", "size", "use"];

/** Waits until a panel is on the screen with all that it shows at first. */
export async function ready(page, panel) {
    await page.locator("html[data-ready]").waitFor();
    await page.locator(`#${panel}:not([hidden]) > *`).first().waitFor();
}

/** The same with what comes when the reader scrolls to it. */
export async function whole(page, panel) {
    await ready(page, panel);
    if (panel !== "see")
        return;
    const card = page.locator("#see .see-fill");
    await card.scrollIntoViewIfNeeded();
    await card.locator("[data-do=one]").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
}

/** Shows a panel by its link, as a person does. */
export async function show(page, panel) {
    await page.locator(`a[data-panel=${panel}]`).click();
    await ready(page, panel);
}
