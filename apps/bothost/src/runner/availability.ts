import type { Note } from '@heron/engine/session/journal.ts';
import { quietAfter } from '@heron/exchanges/feed/feedTypes.ts';
import type { BotMachine } from './botMachine.ts';
import type { MarketSubscriptions } from './marketSubscriptions.ts';
import { createOutageMonitor } from './outageMonitor.ts';

/** Every venue sends an event or a poll response more often than this. */
const QUIET_MS = 15_000;

/** Detects when a bot loses the connection to its market data or its account, and when it is restored. */
export interface Availability {
  /** Returns the journal entries of the changes since the last check. */
  check(at: number): Note[];
}

export function createAvailability(machine: BotMachine, subscriptions: MarketSubscriptions): Availability {
  const outages = createOutageMonitor();
  /** When the account became unreachable; null while it is reachable. */
  let accountAwaySince: number | null = null;
  return {
    check(at) {
      // A pair without pushes is polled at this interval, after the bot has waited for a push.
      const { 'server.poll_scan_time': pollMs, poll_scan_time: scanMs } = machine.session.state.bot.options;
      const paceMs = Math.max(3 * pollMs, quietAfter(scanMs) + pollMs);
      const lastEventAt = subscriptions.lastEventAt();
      const quiet = lastEventAt !== null && subscriptions.count() > 0 && at - lastEventAt >= QUIET_MS;
      const unreachable = machine.account()?.connection === 'unreachable';
      accountAwaySince = unreachable ? (accountAwaySince ?? at) : null;
      return [
        outages.check('feed', quiet ? lastEventAt : null, at, paceMs),
        outages.check('account', accountAwaySince, at),
      ].filter((note) => note !== null);
    },
  };
}
