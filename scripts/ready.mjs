// Every npm script runs this file: it installs packages when needed, then runs the command under the pinned Node. It starts
// on the Node of the machine (20 or newer), before any package is installed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findHeadlessShell, findOrInstallBrowser } from './browser.mjs';
import { buildClient, engineInOneFile } from './build.mjs';
import { programNamed } from './debian.mjs';
import { install } from './install.mjs';
import { withMemoryFolder } from './memoryFolder.mjs';
import { ROOT } from './paths.mjs';
import { runNode } from './run.mjs';

const HERON = path.join(ROOT, 'apps', 'cli', 'src', 'main.ts');
const VITEST = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const BIOME = path.join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const ENGINE = path.join(ROOT, 'packages', 'engine');
const SOAKED = ['test/invariants', 'test/plan', 'test/live', 'src/dca', 'src/grid'].map((folder) =>
  path.join(ENGINE, folder),
);

/** Programs that tests start, with the Debian package of each and the tests that need it. */
const TEST_PROGRAMS = {
  'redis-server': { debian: 'redis-server', tests: 'tests of queues on Redis' },
  nginx: { debian: 'nginx', tests: 'tests behind nginx' },
  caddy: { debian: 'caddy', tests: 'tests behind Caddy' },
  ip: { debian: 'iproute2', tests: 'tests with network namespaces' },
};

/** Commands that read millions of candles and end. */
const CANDLE_COMMANDS = ['backtest', 'optimise', 'signals', 'candles'];
/** Commands in which the engine is what takes the time. */
const ENGINE_COMMANDS = ['backtest', 'optimise'];
/** Makes glibc use pages of 2 MB: with small pages, half the time of reading a large file goes into page faults. */
const LARGE_PAGES = { GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? 'glibc.malloc.hugetlb=1' };

/** Lets V8 inline more of the small functions of a trade: a tenth less time once compiled, but a longer warm-up. */
const MORE_INLINING = '--max-inlined-bytecode-size-cumulative=2500';

/** Node caches compiled code there, which makes starts faster. */
const COMPILED = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(ROOT, 'node_modules', '.cache', 'heron-compiled'),
};

/** @type {Record<string, (args: string[]) => Promise<number>>} each returns an exit code */
const commands = {
  start: (args) => commands.heron?.(['start', ...args]) ?? 1,
  dev: (args) => runNode([inScripts('dev.ts'), ...args], { channel: true }),
  heron: async (args) => (args[0] === 'start' && (await buildClient())) || heron(args),
  // All three run even when one fails, so that one run shows every problem.
  test: async (args) => {
    // Before the unit tests, which need some of these packages as well.
    await findOrInstallBrowser(missingPackages());
    return all([['check'], ['test:unit', ...args], ['test:e2e', ...args]]);
  },
  'test:unit': async (args) => {
    adviseOnMissingPackages();
    return vitest(args);
  },
  'test:e2e': async (args) => {
    const browser = await findOrInstallBrowser(missingPackages());
    if (browser === null) return 1;
    const shell = findHeadlessShell();
    adviseOnMissingPackages();
    const code = await buildClient();
    if (code !== 0) return code;
    const browsers = { CHROME_PATH: browser, ...(shell === null ? {} : { HERON_HEADLESS_SHELL: shell }) };
    return vitest(['--config', 'e2e/vitest.config.ts', ...args], browsers);
  },
  // The full length of the tests of which `test:e2e` runs a short version.
  'test:attacks': async (args) => {
    adviseOnMissingPackages();
    const code = await buildClient();
    if (code !== 0) return code;
    return vitest(['--config', 'e2e/vitest.config.ts', ...args], {
      HERON_ATTACKS: '1',
      HERON_HOST_KILLS: process.env.HERON_HOST_KILLS ?? '50',
    });
  },
  // Every invariant of the engine in 100,000 cases, drawn at random in each run; a case takes up to some milliseconds.
  'test:soak': async (args) => {
    const files = args.some((arg) => !arg.startsWith('-')) ? [] : SOAKED;
    const { HERON_SOAK_RUNS = '100000', HERON_SEED = 'random' } = process.env;
    const env = { HERON_SOAK_RUNS, HERON_SEED };
    const code = await vitest(['--testTimeout=7200000', ...files, ...args], env);
    // Last, because benchmarks need a machine on which nothing else runs.
    const checked = files.length === 0 ? 0 : await commands.bench?.(['--check']);
    return code || (checked ?? 1);
  },
  // Kills of every process under live bots, and pairs of faults; each takes some seconds, more on a busy machine.
  'test:chaos': (args) => {
    const { HERON_CHAOS_KILLS = '1000', HERON_CHAOS_PAIRS = '1000' } = process.env;
    return vitest(['--config', 'e2e/vitest.config.ts', 'e2e/chaos', ...args], { HERON_CHAOS_KILLS, HERON_CHAOS_PAIRS });
  },
  'golden:update': (args) => runNode([path.join(ENGINE, 'test', 'golden', 'update.ts'), ...args]),
  // Writes the pictures with which `test:e2e` compares the main screens.
  'pictures:update': (args) => {
    process.env.HERON_PICTURES = 'update';
    return commands['test:e2e']?.(['e2e/app/pictures.test.ts', ...args]) ?? 1;
  },
  check: (args) => runNode([inScripts('check.ts'), ...args]),
  fix: (args) => runNode([BIOME, 'check', '--write', ...args]),
  figures: (args) => runNode([inScripts('codeFigures.ts'), ...args]),
  'docs:options': (args) => runNode([inScripts('docsOptions.ts'), ...args]),
  // With the same flags as a parameter search.
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

/** Returns the Debian packages of the programs that tests start beside Heron and that are not installed. */
function missingPackages() {
  return Object.entries(TEST_PROGRAMS)
    .filter(([program]) => programNamed(program) === null)
    .map(([, { debian }]) => debian);
}

/** Prints which tests fail because a program is missing, and the command that installs it. */
function adviseOnMissingPackages() {
  const missing = Object.entries(TEST_PROGRAMS).filter(([program]) => programNamed(program) === null);
  for (const [program, { tests }] of missing) console.error(`${program} is not installed; ${tests} will fail.`);
  if (missing.length > 0) console.error(`On Debian: apt-get install ${missingPackages().join(' ')}`);
}

/**
 * Runs Vitest with a cache of compiled code, because tests load the same sources in many workers and programs.
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
  // npm runs scripts in the folder of package.json, but file names are relative to the folder of the caller.
  const caller = process.env.npm_lifecycle_event === 'heron' ? process.env.INIT_CWD : undefined;
  // A search runs long enough for the longer warm-up to pay off; a single backtest does not.
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
 * Runs commands one after the other, even when one fails. Prints at the end how long each took and what failed.
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
      if (code > 128) return code; // Stopped by a signal: do not run the next command.
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
