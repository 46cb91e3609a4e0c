import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** This maps the name of each cache to its content as text. */
let caches: Map<string, Map<string, string>>;
/** The server fails to deliver these files. */
let failing: Set<string>;
let started = 0;

beforeEach(() => {
  caches = new Map();
  failing = new Set();
});
afterEach(() => vi.unstubAllGlobals());

const answer = (text: string | undefined) => (text === undefined ? undefined : new Response(text));

const storage = {
  async open(name: string) {
    const held = caches.get(name) ?? new Map<string, string>();
    caches.set(name, held);
    return {
      put: async (path: string, given: Response) => void held.set(path, await given.text()),
      match: async (path: string) => answer(held.get(path)),
    };
  },
  keys: async () => [...caches.keys()],
  delete: async (name: string) => caches.delete(name),
  async match(path: string, { cacheName }: { cacheName?: string } = {}) {
    const held = cacheName === undefined ? [...caches.values()] : [caches.get(cacheName)];
    return answer(held.find((one) => one?.has(path))?.get(path));
  },
};

/**
 * Starts the worker of a build as a browser does. @returns dispatches an event to the worker and waits until its work
 * is done
 */
async function workerOf(id: string) {
  const receives = new Map<string, (event: { waitUntil(work: Promise<void>): void }) => void>();
  vi.stubGlobal('BUILD', { id, files: [`/assets/${id}.js`] });
  vi.stubGlobal('self', {
    caches: storage,
    location: { origin: 'http://heron' },
    clients: { claim: async () => {} },
    addEventListener: (type: string, listener: (event: object) => void) => receives.set(type, listener),
  });
  vi.stubGlobal('fetch', async (path: string) =>
    failing.has(path) ? new Response('', { status: 500 }) : new Response(path === '/index.html' ? `of ${id}` : path),
  );
  await import(`./worker.ts?${++started}`);
  return async (type: 'install' | 'activate' | 'message', fields: object = {}) => {
    let done = Promise.resolve();
    receives.get(type)?.({
      ...fields,
      waitUntil(work) {
        done = work;
      },
    });
    await done;
  };
}

async function activate(id: string) {
  const dispatch = await workerOf(id);
  await dispatch('install');
  await dispatch('activate');
}

test('the previous build stays despite other downloads, until the next build runs', async () => {
  await activate('a');
  const waited = await workerOf('b');
  await waited('install');
  await activate('c');
  expect([...caches.keys()]).toEqual(['heron a', 'heron c']);
  await activate('d');
  expect([...caches.keys()]).toEqual(['heron c', 'heron d']);
});

test('nothing remains of a build whose download is incomplete', async () => {
  await activate('a');
  failing.add('/index.html');
  const dispatch = await workerOf('b');
  await expect(dispatch('install')).rejects.toThrow('/index.html: 500');
  expect([...caches.keys()]).toEqual(['heron a']);
});

test('a worker whose files were cleared downloads them again on request', async () => {
  await activate('a');
  const dispatch = await workerOf('a');
  caches.clear();
  await dispatch('message', { data: 'download again', ports: [] });
  expect([...(caches.get('heron a')?.keys() ?? [])]).toEqual(['/assets/a.js', '/index.html', '/taken']);
});

test('a running build stays complete when another worker of it fails to install', async () => {
  await activate('a');
  failing.add('/index.html');
  const dispatch = await workerOf('a');
  await expect(dispatch('install')).rejects.toThrow('500');
  expect([...(caches.get('heron a')?.keys() ?? [])]).toEqual(['/assets/a.js', '/index.html', '/taken']);
});
