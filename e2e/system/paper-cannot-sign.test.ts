import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBinance } from '@heron/exchanges/binance/public.ts';
import { loadBinance } from '@heron/exchanges/ccxt/library.ts';
import { publicOnly } from '@heron/exchanges/ccxt/publicOnly.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { startSandbox } from '@heron/sandbox/sandbox.ts';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** What Node's crypto may be used for by a process that runs paper bots: nothing that makes a signature. */
const HARMLESS_CRYPTO = new Set([
  ...['createHash', 'randomInt', 'timingSafeEqual'],
  // The seal of proxy addresses: no exchange takes encrypted text for a signature, and keys of accounts have another seal.
  ...['createCipheriv', 'createDecipheriv', 'hkdfSync', 'randomBytes'],
]);

/** Packages with which orders or transactions are signed, and those that hold the keys. */
const SIGNERS = ['viem', 'ethers', 'web3', 'elliptic', 'secp256k1', 'jose', 'jsonwebtoken', 'bip39'];
const SIGNER_SCOPES = ['@noble/', '@scure/', '@solana/', '@binance/', '@ethersproject/'];

interface Graph {
  /** Files of ours, relative to the root. */
  readonly files: Set<string>;
  /** Packages, and the files that load them. */
  readonly packages: Map<string, Set<string>>;
  /** `file: name` for each name taken from node:crypto. */
  readonly crypto: { file: string; name: string }[];
  /** `import()` and the like whose target is computed. */
  readonly computed: Set<string>;
}

const resolve = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** Everything that a process may load, from its entry; imports of types are erased before it runs. */
function graphFrom(entry: string): Graph {
  const graph: Graph = { files: new Set(), packages: new Map(), crypto: [], computed: new Set() };
  const visit = (file: string): void => {
    const name = path.relative(ROOT, file);
    if (graph.files.has(name)) return;
    graph.files.add(name);
    const source = readFileSync(file, 'utf8');
    const follow = (specifier: string): void => {
      if (specifier.startsWith('node:')) return;
      if (/^(\.|@heron\/)/.test(specifier)) {
        visit(specifier.startsWith('.') ? path.resolve(path.dirname(file), specifier) : resolve(specifier));
        return;
      }
      const pkg = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      graph.packages.set(pkg, (graph.packages.get(pkg) ?? new Set()).add(name));
    };
    new Visitor({
      ImportDeclaration: (node) => {
        if (node.importKind === 'type') return;
        follow(node.source.value);
        if (node.source.value !== 'node:crypto') return;
        for (const specifier of node.specifiers) {
          const imported =
            specifier.type === 'ImportSpecifier' ? source.slice(specifier.imported.start, specifier.imported.end) : '*';
          graph.crypto.push({ file: name, name: imported });
        }
      },
      ExportNamedDeclaration: (node) => {
        if (node.source && node.exportKind !== 'type') follow(node.source.value);
      },
      ExportAllDeclaration: (node) => {
        if (node.exportKind !== 'type') follow(node.source.value);
      },
      ImportExpression: (node) => {
        if (node.source.type === 'Literal' && typeof node.source.value === 'string') follow(node.source.value);
        else graph.computed.add(name);
      },
      CallExpression: (node) => {
        const called = source.slice(node.callee.start, node.callee.end);
        if (called !== 'import.meta.resolve' && called !== 'require') return;
        const [target] = node.arguments;
        if (target?.type === 'Literal' && typeof target.value === 'string') follow(target.value);
        else graph.computed.add(name);
      },
    }).visit(parseSync(file, source).program);
  };
  visit(path.join(ROOT, entry));
  return graph;
}

/** A package with all that it depends on, by the manifests in node_modules. */
function closure(names: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    let manifest: { dependencies?: Record<string, string> };
    try {
      manifest = JSON.parse(readFileSync(path.join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
    } catch {
      return;
    }
    for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency);
  };
  for (const name of names) visit(name);
  return found;
}

const isSigner = (name: string) => SIGNERS.includes(name) || SIGNER_SCOPES.some((scope) => name.startsWith(scope));

const worker = graphFrom('apps/bothost/src/worker/process.ts');

test('the walk sees what it should see', () => {
  expect(worker.files).toContain('packages/engine/src/paper/paperSession.ts');
  expect(worker.files).toContain('packages/exchanges/src/ccxt/publicOnly.ts');
  // Where something signs, it is found: the demo market checks signatures.
  const market = graphFrom('apps/sandbox/src/sandbox.ts');
  expect(market.crypto.some(({ name }) => name === 'createHmac')).toBe(true);
});

test('I-36: no module of ours that the worker can load takes anything from crypto that signs', () => {
  expect(worker.crypto.filter(({ name }) => !HARMLESS_CRYPTO.has(name))).toEqual([]);
});

test('I-36: the worker loads no package that signs, but the one whose signing is taken away', () => {
  expect([...worker.packages.keys()].sort()).toEqual(
    [
      ...['@fastify/websocket', 'apache-arrow', 'bullmq', 'ccxt', 'drizzle-orm', 'fastify', 'pg', 'pino'],
      ...['socks', 'undici', 'ws', 'zod'],
    ].sort(),
  );
  expect([...(worker.packages.get('ccxt') ?? [])]).toEqual(['packages/exchanges/src/ccxt/library.ts']);
  const others = [...worker.packages.keys()].filter((name) => name !== 'ccxt');
  expect([...closure(others)].filter(isSigner)).toEqual([]);
});

test('what is loaded by a computed name is only ccxt, in one place', () => {
  expect([...worker.computed]).toEqual(['packages/exchanges/src/ccxt/library.ts']);
  const importers = [...worker.files].filter((file) =>
    /import \{[^}]*\bloadBinance\b[^}]*\} from/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(importers).toEqual(['packages/exchanges/src/binance/public.ts']);
});

test('the adapter has nothing but reading, and the object inside it throws at every private call', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 3 });
  const { key, secret, rest, ws } = sandbox.binance;
  const net = openGivenNet('binance', { rest, ws }, { now: Date.now });
  const adapter = await openBinance({ net, now: Date.now });
  try {
    expect(Object.keys(adapter).sort()).toEqual(
      ['candles', 'close', 'markets', 'name', 'periods', 'stream', 'suspended', 'tickers', 'time'].sort(),
    );
    const requests: string[] = [];
    const Public = publicOnly(await loadBinance(), 'binance', {
      origins: new Map([['https://api.binance.com', rest]]),
      stream: `${ws}/`,
      makeSocket: net.makeSocket,
      fetch(url, init) {
        requests.push(url);
        return fetch(url, init);
      },
    });
    // With valid keys of this very market: they do not get in.
    expect(() => Object.assign(new Public({}), { apiKey: key, secret })).toThrow(TypeError);
    const options = { fetchMarkets: { types: ['spot'] }, fetchMargins: false, fetchCurrencies: false };
    const object = new Public({ apiKey: key, secret, options });
    await object.loadMarkets();
    requests.length = 0;
    const calls = object as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const attempts: [string, unknown[]][] = [
      ['createOrder', ['BTC/USDT', 'market', 'buy', 0.001]],
      ['createOrderWs', ['BTC/USDT', 'market', 'buy', 0.001]],
      ['createMarketBuyOrderWithCost', ['BTC/USDT', 50]],
      ['cancelOrder', ['1', 'BTC/USDT']],
      ['cancelAllOrders', ['BTC/USDT']],
      ['editOrder', ['1', 'BTC/USDT', 'limit', 'buy', 0.001, 1]],
      ['fetchBalance', []],
      ['fetchOpenOrders', ['BTC/USDT']],
      ['fetchMyTrades', ['BTC/USDT']],
      ['withdraw', ['BTC', 1, 'address']],
      ['watchOrders', []],
      ['watchBalance', []],
      ['privatePostOrder', [{ symbol: 'BTCUSDT' }]],
      ['sapiPostCapitalWithdrawApply', [{}]],
    ];
    for (const [method, args] of attempts) {
      expect(typeof calls[method], method).toBe('function');
      await expect((async () => calls[method]?.(...args))(), method).rejects.toThrow();
    }
    expect(requests).toEqual([]);
  } finally {
    await adapter.close();
    await sandbox.close();
  }
});
