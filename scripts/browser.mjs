import { installFromDebian, isProgram, programNamed } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ON_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const SHELL = 'chromium-headless-shell';
const ADVICE = 'No browser found. Install Chromium or Google Chrome, or set CHROME_PATH to its program, and try again.';

/** Finds Chromium or Chrome; as root on Debian installs it. @returns {Promise<string | null>} its path, null: said why */
export async function findOrInstallBrowser() {
  const found = findBrowser();
  if (found !== null) return found;
  if (process.env.CHROME_PATH) {
    console.error(`CHROME_PATH is ${process.env.CHROME_PATH}, which cannot be run. Correct it or unset it.`);
    return null;
  }
  // The Chinese texts need a font that has their characters.
  if (await installFromDebian('Chromium', ['chromium', 'fonts-wqy-microhei'])) {
    const installed = findBrowser();
    if (installed !== null) return installed;
  }
  console.error(ADVICE);
  return null;
}

/**
 * Finds Chromium without its windows, tabs and menus, in which a page takes two thirds of the work; as root on Debian installs
 * it. Who names a browser gets that one.
 *
 * @returns {Promise<string | null>} its path; null: the whole browser does as well
 */
export async function findOrInstallHeadlessShell() {
  if (process.env.CHROME_PATH) return null;
  const found = programNamed(SHELL);
  if (found !== null) return found;
  return (await installFromDebian('Chromium without windows', [SHELL])) ? programNamed(SHELL) : null;
}

/** @returns {string | null} `CHROME_PATH`, or the first known browser on the PATH */
function findBrowser() {
  if (process.env.CHROME_PATH) return isProgram(process.env.CHROME_PATH) ? process.env.CHROME_PATH : null;
  return NAMES.map(programNamed).find((found) => found !== null) ?? (isProgram(ON_MAC) ? ON_MAC : null);
}
