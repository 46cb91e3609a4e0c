import type { ToWorker } from '../sw/messages.ts';
import { unsubscribePush } from './push.ts';

/**
 * Deletes the caches, whose data can be fetched again. A worker without a push subscription is unregistered and
 * registers at the next start. A worker with a push subscription stays, since otherwise this device would get no
 * notifications until then.
 */
export async function clearCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const workers = (await Promise.resolve(navigator.serviceWorker?.getRegistrations()).catch(() => [])) ?? [];
  const subscribed = await Promise.all(workers.map(hasPushSubscription));
  await Promise.all(workers.filter((_, at) => !subscribed[at]).map((worker) => worker.unregister()));
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  for (const worker of workers.filter((_, at) => subscribed[at])) {
    const message: ToWorker = 'download again';
    worker.active?.postMessage(message);
  }
}

/** Returns whether this worker has a push subscription. */
async function hasPushSubscription({ pushManager }: ServiceWorkerRegistration): Promise<boolean> {
  return (await Promise.resolve(pushManager?.getSubscription()).catch(() => null)) != null;
}

/** Deletes all data of this app on this device: settings, drafts, saved accounts and the offline cache. */
export async function clearDevice(): Promise<void> {
  for (const storage of ['localStorage', 'sessionStorage'] as const) {
    // A browser that blocks storage has stored nothing.
    try {
      globalThis[storage].clear();
    } catch {}
  }
  const databases = await Promise.resolve(indexedDB.databases?.()).catch(() => []);
  await Promise.all((databases ?? []).map(({ name }) => name !== undefined && forgotten(name)));
  await unsubscribePush();
  await clearCaches();
}

/** Deletes a database. If another tab has it open, the browser deletes it once that tab closes it. */
function forgotten(database: string): Promise<void> {
  return new Promise((settle) => {
    const asked = indexedDB.deleteDatabase(database);
    asked.onsuccess = asked.onerror = asked.onblocked = () => settle();
  });
}
