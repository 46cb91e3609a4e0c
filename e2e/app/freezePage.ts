import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const FONTS = { 400: 'sans-regular.woff2', 700: 'sans-bold.woff2' } as const;

/**
 * Makes the page look the same on every machine and at any time, so that pictures of it can be compared. It sets a bundled
 * font and fixed figures and times, shows every change as a loss, and hides canvases. It replaces drawn lines by fixed ones,
 * and repeats all this after each update until the page reloads.
 */
export async function freezePage(page: Page): Promise<void> {
  const fonts = Object.entries(FONTS).map(async ([weight, name]) => {
    const file = await readFile(path.join(import.meta.dirname, 'font', name));
    return { weight, base64: file.toString('base64') };
  });
  await page.evaluate(
    async (given) => {
      const style = new CSSStyleSheet();
      // Characters that are missing in the font come from the machine's fonts.
      style.replaceSync(`
        :root:root { --font-family: "Pictures", sans-serif; }
        /* Letters as wide as the font says: the machine may have settings that make each fit its pixels. */
        * { text-rendering: geometricPrecision; }
        canvas { visibility: hidden; }
        .moved > svg { display: none; }
      `);
      document.adoptedStyleSheets.push(style);
      for (const { weight, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        document.fonts.add(await new FontFace('Pictures', bytes.buffer, { weight }).load());
      }

      const settleText = (node: Node) => {
        const isChange = node.parentElement?.closest('.moved') !== null;
        const text = node.nodeValue ?? '';
        const settled = text
          .replace(/\d+:\d\d:\d\d/g, '00:00:00')
          .replace(/\d+月\d+日/g, '1月1日')
          .replace(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+/g, 'Jan 1')
          .replace(/\b[A-Z][a-z]+ \d{4}\b/g, 'January 2026')
          .replace(/[+-]?\d[\d,]*\.\d+/g, isChange ? '-1.00' : '1,000.00')
          .replace(/(Slippage [\d.,]+ [A-Z]+)( worse| better)?/, '$1 worse');
        // Replaces the last letters of a key, because every market creates new keys.
        const shown = node.previousSibling?.nodeValue === '····' ? '0000' : settled;
        if (shown !== text) node.nodeValue = shown;
      };
      const settleClass = (element: Element) => {
        const settled = element
          .getAttribute('class')
          ?.replace(/\b(moved|text|result-bar)-(up|flat|gain)\b/g, loss)
          .replace(/ ?\border-rising\b/, '');
        if (settled !== element.getAttribute('class')) element.setAttribute('class', settled ?? '');
      };
      const loss = (_: string, name: string) => (name === 'moved' ? 'moved-down' : `${name}-loss`);
      const settleLine = (element: Element) => {
        const line = LINES[element.parentElement?.classList[0] ?? ''] ?? LINES[element.classList[0] ?? ''];
        if (line && element.getAttribute('d') !== line) element.setAttribute('d', line);
      };
      const LINES: Readonly<Record<string, string>> = {
        sparkline: 'M0 8L48 12L96 20',
        'equity-line': 'M0 60L300 70L600 90',
        'equity-fill': 'M0 60L300 70L600 90V150H0Z',
        'drawdown-fill': 'M0 2L300 12L600 30V2H0Z',
      };
      const settle = (node: Node) => {
        if (node instanceof Text) settleText(node);
        if (!(node instanceof Element)) return;
        settleClass(node);
        if (node instanceof SVGPathElement) settleLine(node);
        for (const child of node.childNodes) settle(child);
      };
      settle(document.body);
      // The observer runs after each change, before it is painted.
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes)
          if (type === 'childList') for (const node of addedNodes) settle(node);
          else settle(target);
      }).observe(document.body, {
        ...{ subtree: true, childList: true, characterData: true },
        attributeFilter: ['class', 'd'],
      });
    },
    await Promise.all(fonts),
  );
}
