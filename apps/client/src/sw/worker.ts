import { bringSubscription, type SubscriptionChange } from './bringSubscription.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { type AppWindows, openInApp, shownOf } from './pushNotifications.ts';
import { type KeptBuild, surplus } from './surplus.ts';
import { wayOf } from './wayOf.ts';

/** Of the build that this worker came with; `vite/serviceWorker.ts` fills it in. */
declare const BUILD: {
  readonly id: string;
  /** Paths of all files whose names carry a hash of their content. */
  readonly files: readonly string[];
};

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Said extends Lasting {
  readonly data: ToWorker;
  readonly ports: readonly MessagePort[];
}

interface Pushed extends Lasting {
  /** Null where a push service sends nothing. */
  readonly data: { text(): string } | null;
}

interface Clicked extends Lasting {
  /** One that this worker has shown. */
  readonly notification: { close(): void; readonly data: FromWorker };
}

/** The part of `ServiceWorkerGlobalScope` that is used; the types of pages and of workers exclude each other. */
interface WorkerScope {
  readonly caches: CacheStorage;
  readonly clients: AppWindows & { claim(): Promise<void> };
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'>;
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', hear: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', hear: (event: Fetching) => void): void;
  addEventListener(type: 'message', hear: (event: Said) => void): void;
  addEventListener(type: 'push', hear: (event: Pushed) => void): void;
  addEventListener(type: 'pushsubscriptionchange', hear: (event: Lasting & SubscriptionChange) => void): void;
  addEventListener(type: 'notificationclick', hear: (event: Clicked) => void): void;
}

const { id, files } = BUILD;
const worker = self as unknown as WorkerScope;
const { caches, location } = worker;

const PAGE = '/index.html';
const OF_HERON = 'heron ';
const OWN = `${OF_HERON}${id}`;
/** In the files of a build that windows have run: which one that was, counted up. No page can ask for it. */
const TAKEN = '/taken';
/** How long a navigation waits for the server before the page comes from here. */
const PATIENCE_MS = 3_000;

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const way = wayOf(event.request, location.origin);
  if (way === 'page') event.respondWith(page(event.request));
  if (way === 'file') event.respondWith(file(event.request));
});
worker.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'which build?') ports[0]?.postMessage(id);
  else if (data === 'bring anew') event.waitUntil(install().then(takeOver));
  else void worker.skipWaiting();
});

worker.addEventListener('push', (event) => {
  const { title, options } = shownOf(event.data?.text() ?? '');
  event.waitUntil(worker.registration.showNotification(title, options));
});
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(bringSubscription(worker.registration.pushManager, event)),
);
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openInApp(worker.clients, event.notification.data));
});

/** Keeps a whole build or nothing of it, and is tried again with the next visit. */
async function install(): Promise<void> {
  try {
    await bring();
  } catch (error) {
    // Another worker of the same build may be running from what is there.
    if ((await takenOf(OWN)) === null) await caches.delete(OWN);
    throw error;
  }
}

/** Brings all that a start without a server needs. */
async function bring(): Promise<void> {
  const own = await caches.open(OWN);
  await Promise.all(
    files.map(async (path) => {
      // A hashed name stands for its content: what an earlier build has brought is not fetched again.
      await own.put(path, (await caches.match(path)) ?? (await whole(path)));
    }),
  );
  const page = await whole(PAGE, { cache: 'no-cache' });
  // Between this worker and its page the server may have been updated: they would not fit.
  if (!(await page.clone().text()).includes(id)) throw new Error('the page is of another build');
  await own.put(PAGE, page);
}

async function whole(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, init);
  // Redirected it is the login of whatever stands before the server.
  if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

/** Other windows may still run the build before: its files stay until the next one. */
async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(OF_HERON));
  const kept = await Promise.all(names.map(async (name): Promise<KeptBuild> => ({ name, taken: await takenOf(name) })));
  const last = Math.max(0, ...kept.map(({ taken }) => taken ?? 0));
  await (await caches.open(OWN)).put(TAKEN, new Response(String(last + 1)));
  await Promise.all(surplus(kept, OWN).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function takenOf(name: string): Promise<number | null> {
  const mark = await caches.match(TAKEN, { cacheName: name });
  return mark ? Number(await mark.text()) : null;
}

/** The page as the server has it now; when that does not come, the one of this build. */
async function page(request: Request): Promise<Response> {
  const fresh = fetch(request);
  // Awaited below, or too late for anybody.
  fresh.catch(() => {});
  try {
    const answer = await Promise.race([fresh, patience()]);
    // A proxy answers for a server that is down.
    if (answer !== null && answer.status < 500) return answer;
  } catch {}
  return (await (await caches.open(OWN)).match(PAGE)) ?? fresh;
}

const patience = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
