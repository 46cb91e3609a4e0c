import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/**
 * Launches the Chromium that the test command found.
 *
 * @param kind `page`: may be the headless shell, which needs a third less CPU time; `whole`: for features of the browser
 * itself
 */
export function launchBrowser(kind: 'page' | 'whole' = 'page'): Promise<Browser> {
  const executablePath = (kind === 'page' && process.env.HERON_HEADLESS_SHELL) || process.env.CHROME_PATH;
  if (!executablePath) throw new Error('CHROME_PATH is not set; run these tests with `npm run test:e2e`');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Text must render the same on every machine, because tests compare pictures.
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

/**
 * Opens a context for the pages of one user, in English by default. There is no motion, because tests would only wait for it, and
 * no service worker, because its installation takes as long as the rest of a first page. Tests of motion, of offline use and of
 * push messages switch them on.
 */
export function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block', ...options });
}

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

export const SCREENS = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
] as const;

/** Makes flows that usually run on one screen run on all screens. This takes minutes longer. */
export const EVERY_SCREEN = process.env.HERON_EVERY_SCREEN === '1';

/** Returns the screens for a flow that is the same on both: one by default, both with HERON_EVERY_SCREEN. */
export function screens(first: (typeof SCREENS)[number]['name']) {
  return SCREENS.filter(({ name }) => name === first || EVERY_SCREEN).map((each) => {
    const { name, width, height } = each;
    return { ...each, screen: { viewport: { width, height }, hasTouch: name === 'phone' } };
  });
}
