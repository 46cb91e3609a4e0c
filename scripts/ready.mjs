// Behind every npm script: makes the checkout ready, then runs the command under the pinned Node. It starts on whatever
// Node the machine has (20 or newer), with nothing installed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOrInstallBrowser, findOrInstallHeadlessShell } from './browser.mjs';
import { buildClient, engineInOneFile } from './build.mjs';
import { installFromDebian, programNamed } from './debian.mjs';
import { install } from './install.mjs';
import { withMemoryFolder } from './memoryFolder.mjs';
import { ROOT } from './paths.mjs';
import { runNode } from './run.mjs';

const HERON = path.join(ROOT, 'apps', 'cli', 'src', 'main.ts');
const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const BIOME = path.join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const ENGINE_TESTS = path.join(ROOT, 'packages', 'engine', 'test');
const SOAKED = ['invariants', 'plan', 'live'].map((folder) => path.join(ENGINE_TESTS, folder));

/** Commands that read millions of candles and end. */
const CANDLE_COMMANDS = ['backtest', 'optimise', 'signals', 'candles'];
/** Commands in which the engine is what takes the time. */
const ENGINE_COMMANDS = ['backtest', 'optimise'];
/** glibc then asks Linux for pages of 2 MB: half the time that a large file takes goes into the first touch of small ones. */
const LARGE_PAGES = { GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? 'glibc.malloc.hugetlb=1' };

/** V8 then makes more of the small functions that a trade goes through into one: a tenth less time once it is warm, but later warm. */
const MORE_INLINING = '--max-inlined-bytecode-size-cumulative=2500';

/** Node keeps compiled code there, which makes starts faster. */
const COMPILED = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, 'node_modules', '.cache', 'heron-compiled'),
};

/** @type {Record<string, (args: string[]) => Promise<number>>} each returns an exit code */
const commands = {
  start: (args) => commands.heron?.(['start', ...args]) ?? 1,
  dev: (args) => runNode([inScripts('dev.ts'), ...args], { channel: true }),
  heron: async (args) => (args[0] === 'start' && (await buildClient())) || heron(args),
  // All three run, so that one look shows all that is wrong.
  test: (args) => all([['check'], ['test:unit', ...args], ['test:e2e', ...args]]),
  'test:unit': async (args) => {
    // Queues are tested on both of their backends; without it that test fails and says what to install.
    if (programNamed('redis-server') === null) await installFromDebian('Redis', ['redis-server']);
    await installWebServers();
    return vitest(args);
  },
  'test:e2e': async (args) => {
    const browser = await findOrInstallBrowser();
    if (browser === null) return 1;
    const shell = await findOrInstallHeadlessShell();
    await installWebServers();
    // Networks of their own, for the tests of real addresses.
    if (programNamed('ip') === null) await installFromDebian('ip', ['iproute2']);
    const code = await buildClient();
    if (code !== 0) return code;
    const browsers = { CHROME_PATH: browser, ...(shell === null ? {} : { HERON_HEADLESS_SHELL: shell }) };
    return vitest(['--config', 'e2e/vitest.config.ts', ...args], browsers);
  },
  // What `test:e2e` leaves out, or has less of, because it takes minutes.
  'test:attacks': (args) =>
    vitest(['--config', 'e2e/vitest.config.ts', ...args], {
      HERON_ATTACKS: '1',
      HERON_HOST_KILLS: process.env.HERON_HOST_KILLS ?? '50',
    }),
  // Every invariant of the engine in 100,000 random cases, other ones each time; a case takes up to some milliseconds.
  'test:soak': (args) => {
    const files = args.some((arg) => !arg.startsWith('-')) ? [] : SOAKED;
    const { HERON_SOAK_RUNS = '100000', HERON_SEED = 'random' } = process.env;
    const env = { HERON_SOAK_RUNS, HERON_SEED };
    return vitest(['--testTimeout=7200000', ...files, ...args], env);
  },
  // Kills of everything under live bots, and faults in pairs; some seconds each, on a busy machine more.
  'test:chaos': (args) => {
    const { HERON_CHAOS_KILLS = '1000', HERON_CHAOS_PAIRS = '1000' } = process.env;
    return vitest(['--config', 'e2e/vitest.config.ts', 'e2e/chaos', ...args], { HERON_CHAOS_KILLS, HERON_CHAOS_PAIRS });
  },
  'golden:update': (args) => runNode([path.join(ENGINE_TESTS, 'golden', 'update.ts'), ...args]),
  // `test:e2e` compares the main screens with them.
  'pictures:update': (args) => {
    process.env.HERON_PICTURES = 'update';
    return commands['test:e2e']?.(['e2e/app/pictures.test.ts', ...args]) ?? 1;
  },
  check: (args) => runNode([inScripts('check.ts'), ...args]),
  fix: (args) => runNode([BIOME, 'check', '--write', ...args]),
  'docs:options': (args) => runNode([inScripts('docs-options.ts'), ...args]),
  // Warm, as a search is.
  bench: async (args) => {
    const browser = args.includes('client') ? await findOrInstallBrowser() : undefined;
    if (browser === null) return 1;
    if (browser !== undefined && (await buildClient()) !== 0) return 1;
    const flags = [...(await engineInOneFile()), MORE_INLINING];
    return runNode([...flags, path.join(ROOT, 'bench', 'run.ts'), ...args], {
      env: { ...LARGE_PAGES, ...(browser === undefined ? {} : { CHROME_PATH: browser }) },
    });
  },
};

/** Installs what people put before Heron, for the tests that run behind it; without it they fail and say what to install. */
async function installWebServers() {
  const absent = ['nginx', 'caddy'].filter((name) => programNamed(name) === null);
  if (absent.length > 0) await installFromDebian(absent.join(' and '), absent);
}

/**
 * Tests load the same sources again and again, in workers and in the programs that they start.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function vitest(args, env) {
  return withMemoryFolder((folder) => runNode([VITEST, 'run', ...args], { env: { ...COMPILED, ...folder, ...env } }));
}

/** @param {string[]} args */
async function heron(args) {
  const [name = ''] = args;
  const engine = ENGINE_COMMANDS.includes(name) ? await engineInOneFile() : [];
  // npm runs scripts in the folder of package.json; file names on the command line mean the caller's folder.
  const caller = process.env.npm_lifecycle_event === 'heron' ? process.env.INIT_CWD : undefined;
  // A search runs for long; a single backtest is over before it pays.
  return runNode([...engine, ...(name === 'optimise' ? [MORE_INLINING] : []), HERON, ...args], {
    cwd: caller ?? process.cwd(),
    env: {
      ...COMPILED,
      ...(CANDLE_COMMANDS.includes(name) ? LARGE_PAGES : {}),
    },
    channel: true,
  });
}

/** @param {string} name */
function inScripts(name) {
  return path.join(ROOT, 'scripts', name);
}

/**
 * Runs commands one after the other, whether or not they fail, and says at the end how long each took and what failed.
 *
 * @param {readonly (readonly string[])[]} steps each a command and its arguments
 * @returns {Promise<number>} the first code that is not 0
 */
async function all(steps) {
  const folder = mkdtempSync(path.join(tmpdir(), 'heron-failures-'));
  const failures = path.join(folder, 'failures.txt');
  writeFileSync(failures, '');
  process.env.HERON_FAILURES = failures; // `scripts/failures.ts` writes there.
  try {
    const took = [];
    let first = 0;
    for (const [name = '', ...args] of steps) {
      const began = performance.now();
      const code = (await commands[name]?.(args)) ?? 1;
      if (code > 128) return code; // Stopped by a signal: the person wants to stop, not to go on with the next.
      took.push(`${code === 0 ? '✓' : '✗'} ${name} ${((performance.now() - began) / 1000).toFixed(0)} s`);
      first ||= code;
    }
    console.log(`\n${readFileSync(failures, 'utf8')}${took.join(', ')}`);
    return first;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`Usage: node scripts/ready.mjs ${Object.keys(commands).join('|')} [arguments]`);
    return 2;
  }
  return (await install()) || command(args);
}

process.exitCode = await main();
