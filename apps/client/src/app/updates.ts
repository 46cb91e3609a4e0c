import { notifyMethods } from '@heron/contract/notify/notifyMethods.ts';
import { isBuildOutdated, ownBuild } from '../lib/build.ts';
import { go } from '../lib/navigation.ts';
import { currentPreferences } from '../lib/preferences.ts';
import { type PushRegistry, renewPush } from '../lib/push.ts';
import { send, stream } from '../lib/server.ts';
import { currentSession, onSession } from '../lib/session.ts';
import type { FromWorker, ToWorker } from '../sw/messages.ts';
import { offer } from '../ui/toasts.tsx';

const HOUR_MS = 3_600_000;

/**
 * Registers the service worker and offers a new build once it is ready. Browsers allow workers only over a secure
 * connection. Elsewhere, and where storage is blocked, the app works without one.
 */
export async function followUpdates(): Promise<void> {
  if (!import.meta.env.PROD) return;
  try {
    const container = navigator.serviceWorker;
    const registration = await container.register('/sw.js', { updateViaCache: 'none' });
    follow(container, registration);
    followNotifications(container);
  } catch {}
}

const REGISTRY: PushRegistry = {
  async known() {
    const { channels, pushKey } = await send(notifyMethods.listChannels, {});
    const here = channels.find(({ thisDevice }) => thisDevice);
    return { isHere: here !== undefined, isGone: here?.failureReason === 'gone', key: pushKey };
  },
  async renew(subscription) {
    return (await send(notifyMethods.renewPush, { subscription })).channel !== null;
  },
};

/** Opens the page of a clicked notification in this window, and renews the push subscription after each sign-in. */
function followNotifications(container: ServiceWorkerContainer): void {
  container.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => go(data.open));
  container.startMessages();
  const renew = () => void renewPush(REGISTRY).catch(() => {});
  if (currentSession().state === 'member') renew();
  onSession((now, before) => now.state === 'member' && before.state !== 'member' && renew());
}

function follow(container: ServiceWorkerContainer, registration: ServiceWorkerRegistration): void {
  let accepted = false;
  const post = (worker: ServiceWorker, message: ToWorker, ports: MessagePort[] = []) =>
    worker.postMessage(message, ports);

  function offerBuild(accept: () => void) {
    const { t } = currentPreferences();
    offer({ id: 'update', text: t('update.ready'), label: t('update.take'), act: accept });
  }

  /** Handles a worker that waits until all windows of the previous build are closed. */
  async function offerWaiting(waiting: ServiceWorker) {
    const { port1, port2 } = new MessageChannel();
    const build = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    post(waiting, 'which build?', [port2]);
    const takeOver = () => post(waiting, 'take over');
    // The page came from the server and has the new build already.
    if ((await build) === ownBuild()) takeOver();
    else
      offerBuild(() => {
        accepted = true;
        takeOver();
      });
  }

  function watch(worker: ServiceWorker) {
    worker.addEventListener('statechange', () => {
      // The first worker of a browser activates at once.
      if (worker.state === 'installed' && registration.active) void offerWaiting(worker);
    });
  }

  if (registration.waiting) void offerWaiting(registration.waiting);
  if (registration.installing) watch(registration.installing);
  registration.addEventListener('updatefound', () => registration.installing && watch(registration.installing));
  container.addEventListener('controllerchange', () => {
    if (accepted) location.reload();
    // Another window has activated the new build; this window keeps its own until the user accepts.
    else void isBuildOutdated().then((outdated) => outdated && offerBuild(() => location.reload()));
  });

  const ask = () => void registration.update().catch(() => {});
  setInterval(ask, HOUR_MS);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && ask());
  let lost = false;
  stream.onStatus((status) => {
    // A server that was unreachable may have been updated.
    if (status === 'open' && lost) ask();
    lost = status === 'lost' || (lost && status !== 'open');
  });
}
