import type { Page } from 'playwright-core';

/**
 * Returns the layout faults of the page: horizontal scrolling, text cut off by its container or the window, and text outside
 * its button or card. Text in reach by scrolling is no fault. An empty list means no faults.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { clientWidth } = document.documentElement;
    const isOpen = document.querySelector('dialog[open]') !== null;
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const named = (one: Element) => `<${one.tagName.toLowerCase()} class="${one.getAttribute('class') ?? ''}">`;
    const root = document.scrollingElement as Element;
    if (root.scrollWidth > clientWidth) found.push(`the page is ${root.scrollWidth} px wide`);
    for (const box of top.querySelectorAll('.page:not([inert]) .page-content, .bot-column, .rail'))
      if (box.scrollWidth > box.clientWidth && box.clientWidth > 0)
        found.push(`${named(box)} scrolls sideways by ${box.scrollWidth - box.clientWidth} px`);
    if (isOpen && top.scrollWidth > top.clientWidth) found.push('the overlay scrolls sideways');

    for (const input of top.querySelectorAll('.page:not([inert]) input, dialog[open] input')) {
      const { width } = input.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(input).fontSize);
      if (input.matches('.input *') && input.checkVisibility() && width > 0 && width < 2.5 * size)
        found.push(`too little room for input in ${input.closest('.field')?.textContent?.slice(0, 40)}`);
    }

    const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (
        text === '' ||
        parent === null ||
        !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      // Skips text for screen readers only, background pages, and text that the browser renders itself.
      if (parent.closest('.hidden, [inert], option, select, noscript, .skip, .rail-link > span')) {
        if (parent.closest('.rail-link') === null || getComputedStyle(parent).clipPath !== 'none') continue;
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.width < 1) continue;
        const wrong = cutBy(parent, rect);
        if (wrong === null) continue;
        found.push(`"${text.slice(0, 60)}" ${wrong}`);
        break;
      }
    }
    return [...new Set(found)];

    function cutBy(parent: Element, rect: DOMRect): string | null {
      let [canScrollX, canScrollY] = [false, false];
      for (let box: Element | null = parent; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.clipPath !== 'none') return null;
        if (style.display === 'contents' || style.display === 'inline') continue;
        const edge = box.getBoundingClientRect();
        const isFrame = box.matches('button, .btn, .tag, .chip, .card, .input, .callout, dialog');
        const beyondX = rect.right > edge.right + 1 || rect.left < edge.left - 1;
        const beyondY = rect.bottom > edge.bottom + 3 || rect.top < edge.top - 3;
        if (!canScrollX && beyondX && (style.overflowX === 'hidden' || style.overflowX === 'clip'))
          return `is cut off sideways by ${named(box)}`;
        if (!canScrollY && beyondY && (style.overflowY === 'hidden' || style.overflowY === 'clip'))
          return `is cut off below or above by ${named(box)}`;
        canScrollX ||= style.overflowX === 'auto' || style.overflowX === 'scroll';
        canScrollY ||= style.overflowY === 'auto' || style.overflowY === 'scroll';
        if (isFrame && ((!canScrollX && beyondX) || (!canScrollY && beyondY))) return `sticks out of ${named(box)}`;
        if (style.position === 'fixed') break;
      }
      return !canScrollX && (rect.right > clientWidth + 1 || rect.left < -1)
        ? 'is beyond the edge of the window'
        : null;
    }
  });
}
