/* The languages of the page, and the browsers of their readers. */

/** By the names of the folders in fronts/web/page/text. */
export const languages = {
    en: {locale: "en-US", tag: "en"},
    de: {locale: "de-AT", tag: "de"},
    ja: {locale: "ja-JP", tag: "ja"},
    ru: {locale: "ru-RU", tag: "ru"},
    zh: {locale: "zh-CN", tag: "zh-Hans"},
};

/** Chooses a language by the list. */
export async function choose(page, name) {
    await page.locator("#language").selectOption(name);
}

/** Waits until the page is in a language. */
export async function in_language(page, name) {
    await page.locator(`html:lang(${languages[name].tag})[data-ready]`)
        .waitFor();
}

/** Run in the page: names of texts, or of values, that are to be read. */
export function unfilled() {
    const walk = document.createTreeWalker(document.body,
                                           NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
        const {data, parentElement: at} = walk.currentNode;
        if (!at.closest("pre, script") && at.checkVisibility() &&
                /\{\w+\}|^(shell|start|see|kinds|fill|documents|size|use|foreign)\.[a-z]/
                    .test(data))
            found.push(data);
    }
    return found;
}
