import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBinanceError } from '@heron/exchanges/binance/errorCodes.ts';
import { BINANCE_PUBLIC_ENDPOINTS, openBinance } from '@heron/exchanges/binance/public.ts';
import { BINANCE_ENDPOINTS } from '@heron/exchanges/binance/trading.ts';
import { openPacer } from '@heron/exchanges/http/pacer.ts';
import { openPublicClient } from '@heron/exchanges/http/publicClient.ts';
import { openGivenNet } from '@heron/exchanges/net/openNet.ts';
import { startSandbox } from '@heron/sandbox/sandbox.ts';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** Functions of Node's crypto that a process of paper bots may use; none of them creates a signature. */
const HARMLESS_CRYPTO = new Set([
  ...['createHash', 'randomInt', 'timingSafeEqual'],
  // These encrypt proxy addresses. No exchange accepts encrypted text as a signature, and account keys are encrypted
  // separately.
  ...['createCipheriv', 'createDecipheriv', 'hkdfSync', 'randomBytes'],
]);

/** Packages that sign orders or transactions, and packages that hold keys. */
const SIGNERS = ['viem', 'ethers', 'web3', 'elliptic', 'secp256k1', 'jose', 'jsonwebtoken', 'bip39'];
const SIGNER_SCOPES = ['@noble/', '@scure/', '@solana/', '@binance/', '@ethersproject/'];

interface Graph {
  /** Source files of this repository, relative to the root. */
  readonly files: Set<string>;
  /** Maps each package to the files that load it. */
  readonly packages: Map<string, Set<string>>;
  /** Contains the `file: name` of each import from node:crypto. */
  readonly crypto: { file: string; name: string }[];
  /** Contains files with an `import()` or similar call whose target is computed. */
  readonly computed: Set<string>;
}

const resolve = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** Returns everything that a process may load from its entry file; type imports are erased before it runs. */
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

/** Returns packages with all their dependencies, from the manifests in node_modules. */
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

test('the import walk finds what it must find', () => {
  expect(worker.files).toContain('packages/engine/src/paper/paperSession.ts');
  expect(worker.files).toContain('packages/exchanges/src/http/publicClient.ts');
  // The search must find a real signer: the demo market checks signatures.
  const market = graphFrom('apps/sandbox/src/sandbox.ts');
  expect(market.crypto.some(({ name }) => name === 'createHmac')).toBe(true);
});

test('I-36: no module that the worker can load imports signing functions of crypto', () => {
  expect(worker.crypto.filter(({ name }) => !HARMLESS_CRYPTO.has(name))).toEqual([]);
});

test('I-36: the worker loads no package that signs or loads one that signs', () => {
  expect([...worker.packages.keys()].sort()).toEqual(
    [
      ...['@fastify/websocket', 'apache-arrow', 'bullmq', 'drizzle-orm', 'fastify', 'pg', 'pino'],
      ...['protobufjs', 'socks', 'undici', 'ws', 'zod'],
    ].sort(),
  );
  expect([...closure(worker.packages.keys())].filter(isSigner)).toEqual([]);
});

test('the worker loads nothing by a computed name', () => {
  expect([...worker.computed]).toEqual([]);
});

test('the adapter only reads, and its client rejects every path that needs a key', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 3 });
  const { rest, ws } = sandbox.binance;
  const net = openGivenNet('binance', { rest, ws }, { now: Date.now });
  const adapter = await openBinance({ net, now: Date.now });
  try {
    expect(Object.keys(adapter).sort()).toEqual(
      ['candles', 'close', 'markets', 'name', 'periods', 'stream', 'suspended', 'tickers', 'time'].sort(),
    );
    const requests: string[] = [];
    const client = openPublicClient({
      ...{ name: 'binance', endpoints: BINANCE_PUBLIC_ENDPOINTS, pacer: openPacer(0), now: Date.now },
      readError: readBinanceError,
      net: {
        ...net,
        send(scope, url, init) {
          requests.push(`${scope} ${init.method} ${Object.keys(init.headers)} ${new URL(url).pathname}`);
          return net.send(scope, url, init);
        },
      },
    });
    await client.get('/api/v3/time', {}, 1);
    expect(requests).toEqual(['public GET User-Agent /api/v3/time']);
    const needKeys = [...BINANCE_ENDPOINTS].filter(([, needed]) => needed !== 'none').map(([endpoint]) => endpoint);
    for (const endpoint of [...needKeys, 'POST /sapi/v1/capital/withdraw/apply', 'POST /api/v3/userDataStream']) {
      const [, path = ''] = endpoint.split(' ');
      await expect(client.get(path, {}, 1), endpoint).rejects.toMatchObject({ kind: 'misused' });
    }
    expect(requests).toHaveLength(1);
  } finally {
    await adapter.close();
    await sandbox.close();
  }
});
