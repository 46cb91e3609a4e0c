import '../ui/style/base.css';
import '../ui/style/tokens.css';
import '../ui/style/accents.css';
import '../ui/style/shell.css';
import '../ui/style/controls/card.css';
import '../ui/style/controls/button.css';
import '../ui/style/controls/field.css';
import '../ui/style/controls/choice.css';
import '../ui/style/controls/form.css';
import '../ui/style/controls/callout.css';
import '../ui/style/controls/badge.css';
import '../ui/style/controls/figure.css';
import '../ui/style/controls/state.css';
import '../ui/style/controls/row.css';
import '../ui/style/controls/overlay.css';
import '../ui/style/controls/toast.css';
import '../ui/style/controls/legal.css';
import '../ui/style/large.css';
import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followStream } from '../entities/bot/stream.ts';
import { logInDevice } from '../features/accounts/device.ts';
import { ApiError } from '../lib/api.ts';
import { discardEarlyRequests, lastMember } from '../lib/earlyRequests.ts';
import { go } from '../lib/navigation.ts';
import { deleteOfflineCache, readOfflineCache } from '../lib/offlineCache.ts';
import { startPreferences } from '../lib/preferences.ts';
import { savedAccounts } from '../lib/savedAccounts.ts';
import { send, stream } from '../lib/server.ts';
import { onSession, type Session, setSession } from '../lib/session.ts';
import { persistQueries, showOfflineData } from './persistQueries.ts';
import { resumeSession } from './resumeSession.ts';
import { startRouter } from './router.ts';
import { Shell } from './Shell.tsx';
import { Unreachable } from './Unreachable.tsx';

/** A returning user waits this long for the server, in ms, before the offline cache is shown. */
const TIMEOUT_MS = 4_000;

/** Requests the session from the server. Then shows the screen of the address, or the login screen. */
export async function start(): Promise<void> {
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await startPreferences();
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A rejection would repeat; a timeout or a starting process may succeed at the next try.
        retry: (failures, cause) => (!(cause instanceof ApiError) || cause.code === 'unavailable') && failures < 2,
        // A request without a connection fails with an error. The device may be offline and still reach a local server.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // A confirmed command runs or fails at once. If it were queued, it would trade at another price.
      mutations: { networkMode: 'always' },
    },
  });
  const asked = whoIsHere();
  const first = await (lastMember() === null ? asked : Promise.race([asked, timeout()]));
  const offlineData = first === null || first.state === 'unreachable' ? await readOfflineCache() : null;
  if (offlineData) {
    showOfflineData(queries, offlineData);
    setSession({ state: 'member', user: offlineData.user, isFromCache: true });
    void resumeSession(asked, whoIsHere, queries);
  } else {
    const session = first ?? (await asked);
    setSession(session);
    if (session.state === 'unreachable') {
      root.render(<Unreachable error={session.error} onRetry={() => location.reload()} />);
      return;
    }
    if (session.state === 'anonymous') deleteOfflineCache();
  }
  followStream(stream, queries);
  persistQueries(queries);
  onSession((now, before) => {
    if (now.state === before.state) return;
    if (before.state === 'member') queries.clear();
    // After a sign-out or an ended session the guard turns this address into the login screen.
    if (now.state === 'anonymous') {
      deleteOfflineCache();
      go(location.pathname + location.search, { root: true });
    }
  });
  // The address may have changed while the app was loading. Apple returns its parameters in the fragment.
  startRouter(location.pathname + location.search + location.hash);
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Shell />
      </QueryClientProvider>
    </StrictMode>,
  );
  onceAsked(queries, () => void import('./updates.ts').then(({ followUpdates }) => followUpdates()));
}

const timeout = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));

/** Runs `act` once the first screen has its data, so that background work does not delay it. */
function onceAsked(queries: QueryClient, act: () => void): void {
  const leave = queries.getQueryCache().subscribe(({ type }) => {
    if (type !== 'updated' || queries.isFetching() > 0) return;
    leave();
    act();
  });
}

async function whoIsHere(): Promise<Session> {
  try {
    const { userInfo } = await send(peopleMethods.memberInfo, {});
    // Without a uid the response is the own account.
    if (!('id' in userInfo)) throw new Error('the account of somebody else was answered');
    return { state: 'member', user: userInfo };
  } catch (error) {
    discardEarlyRequests();
    const anonymous = error instanceof ApiError && error.code === 'not_logged_in';
    return anonymous ? logInByItself() : { state: 'unreachable', error };
  }
}

/**
 * Signs the active account of this device in automatically, where the device is remembered.
 */
async function logInByItself(): Promise<Session> {
  const active = savedAccounts().find((account) => account.active && account.basepass !== null);
  // After a rejection the login screen follows, which handles a second step.
  const entered = active && (await logInDevice(active).catch(() => null));
  return entered ? { state: 'member', user: entered.userInfo } : { state: 'anonymous' };
}
