import { type Browser, chromium } from 'playwright-core';

/**
 * Chromium as the test command found it.
 *
 * @param kind `page`: may have nothing around the page, which is a third less work; `whole`: for what a browser does itself
 */
export function launchBrowser(kind: 'page' | 'whole' = 'page'): Promise<Browser> {
  const executablePath = (kind === 'page' && process.env.HERON_HEADLESS_SHELL) || process.env.CHROME_PATH;
  if (!executablePath) throw new Error('CHROME_PATH is not set; run these tests with `npm run test:e2e`');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Letters are drawn alike whatever the machine would have: pictures are compared.
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

export const SCREENS = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
] as const;

/** Takes minutes more: what is walked on one screen in each run is walked on all. */
export const EVERY_SCREEN = process.env.HERON_EVERY_SCREEN === '1';

/** The screens for a flow that is the same on both: one in each run, or both. */
export function screens(first: (typeof SCREENS)[number]['name']) {
  return SCREENS.filter(({ name }) => name === first || EVERY_SCREEN).map((each) => {
    const { name, width, height } = each;
    return { ...each, screen: { viewport: { width, height }, hasTouch: name === 'phone' } };
  });
}
