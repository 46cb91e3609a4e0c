import { installFromDebian, isProgram, programNamed } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ON_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const HEADLESS_SHELL = 'chromium-headless-shell';
/** The font has the characters of the Chinese texts. */
const BROWSER_PACKAGES = ['chromium', HEADLESS_SHELL, 'fonts-wqy-microhei'];
const ADVICE = 'No browser found. Install Chromium or Google Chrome, or set CHROME_PATH to its program, and try again.';

/**
 * Finds Chromium or Chrome. Where there is none, it is installed if this is Debian and the user is root.
 *
 * @param {readonly string[]} [others] packages to install together with a browser
 * @returns {Promise<string | null>} path of the browser; null after a message that says what to do
 */
export async function findOrInstallBrowser(others = []) {
  const found = findBrowser();
  if (found !== null) return found;
  if (process.env.CHROME_PATH) {
    console.error(`CHROME_PATH is ${process.env.CHROME_PATH}, which cannot be run. Correct it or unset it.`);
    return null;
  }
  if (await installFromDebian('No browser found', [...BROWSER_PACKAGES, ...others])) {
    const installed = findBrowser();
    if (installed !== null) return installed;
  }
  console.error(ADVICE);
  return null;
}

/**
 * Finds Chromium without windows, tabs and menus, in which a page takes two thirds of the processor time. A browser named by
 * `CHROME_PATH` is used for everything.
 *
 * @returns {string | null} its path; null where the complete browser is to be used
 */
export function findHeadlessShell() {
  return process.env.CHROME_PATH ? null : programNamed(HEADLESS_SHELL);
}

/** @returns {string | null} `CHROME_PATH`, or the first known browser on the PATH; null where there is none */
function findBrowser() {
  if (process.env.CHROME_PATH) return isProgram(process.env.CHROME_PATH) ? process.env.CHROME_PATH : null;
  return NAMES.map(programNamed).find((found) => found !== null) ?? (isProgram(ON_MAC) ? ON_MAC : null);
}
