import type { ToWorker } from '../sw/messages.ts';
import { leavePush } from './push.ts';

/**
 * Throws away what was only kept to be fast: it is fetched again. The worker that keeps it comes back with the next start; one by
 * which this device is told what bots do stays, or nothing would arrive until then.
 */
export async function clearCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const workers = (await Promise.resolve(navigator.serviceWorker?.getRegistrations()).catch(() => [])) ?? [];
  const told = await Promise.all(workers.map(isTold));
  await Promise.all(workers.filter((_, at) => !told[at]).map((worker) => worker.unregister()));
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  for (const worker of workers.filter((_, at) => told[at])) {
    const message: ToWorker = 'bring anew';
    worker.active?.postMessage(message);
  }
}

/** A push service knows this device by this worker. */
async function isTold({ pushManager }: ServiceWorkerRegistration): Promise<boolean> {
  return (await Promise.resolve(pushManager?.getSubscription()).catch(() => null)) != null;
}

/** Throws away everything that this app keeps on this device: settings, drafts, saved accounts, data for offline use. */
export async function clearDevice(): Promise<void> {
  for (const kept of ['localStorage', 'sessionStorage'] as const) {
    // A browser that refuses storage has kept nothing.
    try {
      globalThis[kept].clear();
    } catch {}
  }
  const databases = await Promise.resolve(indexedDB.databases?.()).catch(() => []);
  await Promise.all((databases ?? []).map(({ name }) => name !== undefined && forgotten(name)));
  await leavePush();
  await clearCaches();
}

/** One that another tab holds open goes as soon as that closes it. */
function forgotten(database: string): Promise<void> {
  return new Promise((settle) => {
    const asked = indexedDB.deleteDatabase(database);
    asked.onsuccess = asked.onerror = asked.onblocked = () => settle();
  });
}
