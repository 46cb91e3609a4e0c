import 'framework7/css';
import 'framework7/components/preloader/css';
import 'framework7/components/pull-to-refresh/css';
import '../ui/style/tokens.css';
import '../ui/style/shell.css';
import '../ui/style/controls.css';
import { peopleMethods } from '@heron/contract/accounts/peopleMethods.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import PullToRefresh from 'framework7/components/pull-to-refresh';
import Framework7 from 'framework7/lite';
import Framework7React from 'framework7-react/shared/plugin.js';
import { createRoot } from 'react-dom/client';
import { logInDevice } from '../features/accounts/device.ts';
import { followStream } from '../features/bots/live.ts';
import { ApiError } from '../lib/api.ts';
import { forgetEarly } from '../lib/earlyFetch.ts';
import { go } from '../lib/navigation.ts';
import { startReader } from '../lib/reader.ts';
import { savedAccounts } from '../lib/savedAccounts.ts';
import { send, stream } from '../lib/server.ts';
import { currentSession, onSession, setSession } from '../lib/session.ts';
import { bridge } from './bridge.ts';
import { setPath } from './path.ts';
import { Shell } from './Shell.tsx';
import { Unreachable } from './Unreachable.tsx';

/** Asks the server who we are, then shows the screen that the address names, or the login before it. */
export async function start(): Promise<void> {
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await startReader();
  await askWhoIsHere();
  const { error } = { error: null, ...currentSession() };
  if (currentSession().state === 'unreachable') {
    root.render(<Unreachable error={error} onRetry={() => location.reload()} />);
    return;
  }
  // Apple answers in the fragment.
  const first = location.pathname + location.search + location.hash;
  Framework7.use([Framework7React, PullToRefresh]);
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // An answer that says no will say no again; only silence is worth another try.
        retry: (failures, cause) => !(cause instanceof ApiError) && failures < 2,
      },
      // What a person confirmed happens now or fails now; kept for later it would act at another price.
      mutations: { networkMode: 'always' },
    },
  });
  followStream(stream, queries);
  onSession((now, before) => {
    if (now.state === before.state) return;
    if (before.state === 'member') queries.clear();
    // Log out, or a session that ended: the guard turns this address into the login screen.
    if (now.state === 'anonymous') go(location.pathname + location.search, { root: true });
  });
  root.render(
    <QueryClientProvider client={queries}>
      <Shell
        onView={(view) => {
          if (!view) return;
          view.router.on('routeChange', (route: { url: string }) => setPath(route.url));
          bridge(view.router, first);
        }}
      />
    </QueryClientProvider>,
  );
}

async function askWhoIsHere(): Promise<void> {
  try {
    const { user_info } = await send(peopleMethods.memberInfo, {});
    // Without a uid it is the own account.
    if (!('id' in user_info)) throw new Error('the account of somebody else was answered');
    setSession({ state: 'member', user: user_info });
  } catch (error) {
    const anonymous = error instanceof ApiError && error.code === 'not_logged_in';
    forgetEarly();
    if (anonymous) await logInByItself();
    else setSession({ state: 'unreachable', error });
  }
}

/** Logs the active account of this device in again, where the device is remembered. @see accounts.md 4, "Auto login" */
async function logInByItself(): Promise<void> {
  const active = savedAccounts().find((account) => account.active && account.basepass !== null);
  // Refused it is the login screen's turn: it knows to ask for a second step.
  const entered = active && (await logInDevice(active).catch(() => null));
  setSession(entered ? { state: 'member', user: entered.user_info } : { state: 'anonymous' });
}
