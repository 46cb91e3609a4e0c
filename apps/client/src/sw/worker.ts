import { handlingOf } from './handlingOf.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { type AppWindows, notificationOf, openInApp } from './pushNotifications.ts';
import { type SubscriptionChange, sendSubscription } from './sendSubscription.ts';
import { type StoredBuild, surplusBuilds } from './surplusBuilds.ts';

/** This describes the build of this worker; `vite/serviceWorker.ts` fills it in. */
declare const BUILD: {
  readonly id: string;
  /** These are the paths of all files whose names contain a hash of their content. */
  readonly files: readonly string[];
};

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface MessageReceived extends Lasting {
  readonly data: ToWorker;
  readonly ports: readonly MessagePort[];
}

interface PushReceived extends Lasting {
  /** The data are null where a push service sends none. */
  readonly data: { text(): string } | null;
}

interface NotificationClicked extends Lasting {
  /** This notification was shown by this worker. */
  readonly notification: { close(): void; readonly data: FromWorker };
}

/**
 * The worker uses only this part of `ServiceWorkerGlobalScope`; the types of pages and of workers exclude each other.
 */
interface WorkerScope {
  readonly caches: CacheStorage;
  readonly clients: AppWindows & { claim(): Promise<void> };
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'>;
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'message', listener: (event: MessageReceived) => void): void;
  addEventListener(type: 'push', listener: (event: PushReceived) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: Lasting & SubscriptionChange) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationClicked) => void): void;
}

const { id, files } = BUILD;
const worker = self as unknown as WorkerScope;
const { caches, location } = worker;

const PAGE = '/index.html';
const OF_HERON = 'heron ';
const OWN = `${OF_HERON}${id}`;
/** This entry in the cache of a build that windows have run holds its sequence number. No page can request it. */
const ACTIVATION = '/taken';
/** After this wait for the server, in ms, a navigation gets the stored page. */
const TIMEOUT_MS = 3_000;

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', (event) => {
  const handling = handlingOf(event.request, location.origin);
  if (handling === 'page') event.respondWith(page(event.request));
  if (handling === 'file') event.respondWith(file(event.request));
});
worker.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'which build?') ports[0]?.postMessage(id);
  else if (data === 'download again') event.waitUntil(install().then(takeOver));
  else void worker.skipWaiting();
});

worker.addEventListener('push', (event) => {
  const { title, options } = notificationOf(event.data?.text() ?? '');
  event.waitUntil(worker.registration.showNotification(title, options));
});
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(sendSubscription(worker.registration.pushManager, event)),
);
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openInApp(worker.clients, event.notification.data));
});

/** Stores a build completely or not at all. After a failure the next visit tries again. */
async function install(): Promise<void> {
  try {
    await download();
  } catch (error) {
    // Another worker of the same build may be using the stored files.
    if ((await activationOf(OWN)) === null) await caches.delete(OWN);
    throw error;
  }
}

/** Downloads everything that a start without a server needs. */
async function download(): Promise<void> {
  const own = await caches.open(OWN);
  await Promise.all(
    files.map(async (path) => {
      // The hash in a name identifies the content, so a file of an earlier build is not fetched again.
      await own.put(path, (await caches.match(path)) ?? (await fetchComplete(path)));
    }),
  );
  const page = await fetchComplete(PAGE, { cache: 'no-cache' });
  // The server may have been updated after this worker was fetched. The page would not match the files.
  if (!(await page.clone().text()).includes(id)) throw new Error('the page is of another build');
  await own.put(PAGE, page);
}

async function fetchComplete(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, init);
  // A redirect leads to the sign-in page of a proxy in front of the server.
  if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

/** Activates this build. Other windows may still run the previous build, so its files stay until the next take-over. */
async function takeOver(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(OF_HERON));
  const stored = await Promise.all(
    names.map(async (name): Promise<StoredBuild> => ({ name, activation: await activationOf(name) })),
  );
  const last = Math.max(0, ...stored.map(({ activation }) => activation ?? 0));
  await (await caches.open(OWN)).put(ACTIVATION, new Response(String(last + 1)));
  await Promise.all(surplusBuilds(stored, OWN).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function activationOf(name: string): Promise<number | null> {
  const mark = await caches.match(ACTIVATION, { cacheName: name });
  return mark ? Number(await mark.text()) : null;
}

/** Returns the current page of the server, or the page of this build when the server does not respond in time. */
async function page(request: Request): Promise<Response> {
  const fresh = fetch(request);
  // This promise is awaited below; a later failure is ignored.
  fresh.catch(() => {});
  try {
    const answer = await Promise.race([fresh, timeout()]);
    // A proxy returns a 5xx status for a server that is down.
    if (answer !== null && answer.status < 500) return answer;
  } catch {}
  return (await (await caches.open(OWN)).match(PAGE)) ?? fresh;
}

const timeout = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
