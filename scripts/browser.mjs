import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ADVICE = 'No browser found. Install Chromium or Google Chrome, or set CHROME_PATH to its program, and try again.';

/** Finds Chromium or Chrome; as root on Debian installs it. @returns {Promise<string | null>} its path, null: said why */
export async function findOrInstallBrowser() {
  const found = findBrowser();
  if (found !== null) return found;
  if (process.env.CHROME_PATH) {
    console.error(`CHROME_PATH is ${process.env.CHROME_PATH}, which cannot be run. Correct it or unset it.`);
    return null;
  }
  if (process.getuid?.() === 0 && isDebian()) {
    console.error('Installing Chromium from Debian (apt-get) …');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    // The Chinese texts need a font that has their characters.
    const packages = ['chromium', 'fonts-wqy-microhei'];
    const code =
      (await run('apt-get', ['update', '-qq'], { env })) ||
      (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env }));
    const installed = findBrowser();
    if (code === 0 && installed !== null) return installed;
  }
  console.error(ADVICE);
  return null;
}

/** @returns {string | null} `CHROME_PATH`, or the first known browser on the PATH */
function findBrowser() {
  if (process.env.CHROME_PATH) return isProgram(process.env.CHROME_PATH) ? process.env.CHROME_PATH : null;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  candidates.push('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  return candidates.find(isProgram) ?? null;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDebian() {
  if (!existsSync('/etc/os-release')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}
