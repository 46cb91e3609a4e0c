import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { rememberVisit } from './earlyRequests.ts';

/**
 * The session describes the user of this page. `unknown` until the server has responded; `unreachable` when the request
 * failed.
 */
export type Session =
  | { readonly state: 'unknown' }
  | { readonly state: 'unreachable'; readonly error: unknown }
  | { readonly state: 'anonymous' }
  | {
      readonly state: 'member';
      readonly user: CurrentUser;
      /** The server has not been reached since the app started: all data on screen come from the offline cache. */
      readonly isFromCache?: true;
    };

const session = createStore<{ now: Session }>(() => ({ now: { state: 'unknown' } }));

export const currentSession = (): Session => session.getState().now;

export function setSession(now: Session): void {
  if (now.state === 'member') rememberVisit(now.user.uid);
  if (now.state === 'anonymous') rememberVisit(null);
  session.setState({ now });
}

/** Ends the session in the client after the server reports that it has ended. */
export function sessionEnded(): void {
  if (currentSession().state !== 'anonymous') setSession({ state: 'anonymous' });
}

export function onSession(listener: (now: Session, before: Session) => void): () => void {
  return session.subscribe((state, before) => listener(state.now, before.now));
}

export function useSession(): Session {
  return useStore(session, ({ now }) => now);
}

/** Returns the user who is signed in; null for a moment while their screen is being closed. */
export function useMember(): CurrentUser | null {
  const now = useSession();
  return now.state === 'member' ? now.user : null;
}
