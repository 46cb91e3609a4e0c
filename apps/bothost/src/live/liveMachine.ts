import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { ExecutionEvent, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { feedLive, nextLiveTimer } from '@heron/engine/live/liveSession.ts';
import { AssetUnitDiffers } from '@heron/exchanges/errors.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { Logger } from '../log.ts';
import type { BotMachine, MachineCallbacks } from '../runner/botMachine.ts';
import type { VenuePauses } from '../worker/openEgress.ts';
import { createAccountEventHandler } from './accountEventHandler.ts';
import { type AccountReadingDeps, createAccountSnapshots } from './accountSnapshots.ts';
import type { Accounts, SharedAccount } from './accounts.ts';
import { createActivePairs } from './activePairs.ts';
import { createContractSetup } from './contractSetup.ts';
import { openKeyPermissionCheck } from './keyPermissionCheck.ts';
import { createOrderSender } from './orderSender.ts';
import { createSyncSchedule } from './syncSchedule.ts';

const OPEN_RETRY = { minMs: 1_000, maxMs: 15_000 };
/** Interval of account snapshots while the account stream is disconnected, or the key is refused. */
const DISCONNECTED_SYNC_MS = 5_000;
/** After a discrepancy between account and state, a second snapshot is read after this time, and booked. */
const RECHECK_MS = 3_000;

/** Dependencies of a live bot beside those of every bot. */
export interface LiveDeps extends AccountReadingDeps {
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly pauses: VenuePauses;
  /** Calls the listener whenever the permissions of a key were read. @returns a function that ends it */
  onKeyStateChanged(keyId: string, listener: () => void): () => void;
}

/** Creates a bot on a real exchange. Its requests are sent once they are committed, and their outcomes become execution events. */
export function createLiveMachine(
  bot: { readonly owner: string; readonly keyId: string },
  session: LiveSession,
  deps: LiveDeps,
): BotMachine {
  const { state } = session;
  const { now } = deps;
  const log = deps.log.child({ bot: state.bot.id });
  const currency = state.bot.options.product_currency.toUpperCase();
  const closing = new AbortController();
  let account: SharedAccount | null = null;
  /** Whether `open` has succeeded, so that `close` releases the account. */
  let opened = false;
  const subscriptions: (() => void)[] = [];
  let callbacks: MachineCallbacks = { emit() {}, onProblem() {}, onUnitProblem() {} };
  /** Decimals of the unit of the last order that was rejected for its unit, by pair. */
  const rejectedDecimals = new Map<string, number>();
  const activePairs = createActivePairs(state);
  const setup = createContractSetup();
  const keyPermissions = openKeyPermissionCheck(now);

  const closed = () => closing.signal.aborted;
  const emit = (event: ExecutionEvent) => callbacks.emit(event);

  const snapshots = createAccountSnapshots({
    ...{ reading: deps, log, keyId: bot.keyId, state, currency, activePairs, setup, keyPermissions },
    ...{ closing: closing.signal, emit, onFailed: recordKeyRefusal },
    onProblem: (error) => callbacks.onProblem(error),
    onKeyAccepted: () => account?.retryStream(),
  });
  const syncs = createSyncSchedule({
    read: () => (account === null ? Promise.resolve(false) : snapshots.read(account)),
    delay: syncDelay,
    closed,
  });
  const { withFeeInQuote } = deps;
  const onAccountEvent = createAccountEventHandler({
    ...{ state, currency, log, setup, syncs, closed, emit, now, withFeeInQuote },
  });
  const sendRequest = createOrderSender({
    ...{ log, setup, now, withFeeInQuote },
    onAccepted() {
      const wasRefused = keyPermissions.refusal() !== null;
      keyPermissions.worked();
      if (wasRefused) syncs.syncFromNow();
    },
    onFailed(error) {
      if (error instanceof AssetUnitDiffers) recordRejectedUnit(error);
      recordKeyRefusal(error);
    },
    onExitRefused() {
      if (now() - (snapshots.comparedAt() ?? 0) >= RECHECK_MS) syncs.syncFromNow();
    },
  });

  function perform(requests: readonly LiveRequest[]): void {
    if (account === null) return;
    for (const request of requests) {
      activePairs.add(request.type === 'place' ? request.order.pair : request.pair);
      sendRequest(account.trading, request).then(
        (event) => {
          if (event !== null && !closed()) emit(event);
        },
        (error: unknown) => log.error({ err: error }, 'a request to the exchange failed in an unforeseen way'),
      );
    }
  }

  /** Reports the first refusal of the key, which blocks entries; later orders are not reported one by one. */
  function recordKeyRefusal(error: unknown): void {
    if (closed() || !keyPermissions.failed(error)) return;
    callbacks.onProblem(error);
    emit({ type: 'key_state', at: now(), state: 'refused' });
    syncs.schedule();
  }

  function recordRejectedUnit({ pair, botDecimals }: AssetUnitDiffers): void {
    if (closed()) return;
    rejectedDecimals.set(pair, botDecimals);
    callbacks.onUnitProblem(pair);
  }

  /** Forgets the pairs that the bot does not count in their rejected unit anymore. @returns whether there are any */
  function forgetRejectedUnits(): boolean {
    const before = rejectedDecimals.size;
    for (const [name, decimals] of rejectedDecimals) {
      const market = state.bot.pairs.find(({ pair }) => pair === name)?.market;
      if (market?.assetDecimals !== decimals) rejectedDecimals.delete(name);
    }
    return rejectedDecimals.size < before;
  }

  function onPause(pause: Pause | null): void {
    if (closed() || (pause === null && state.bot.pause === undefined)) return;
    emit({ type: 'paused', at: now(), until: pause?.until ?? 0, banned: pause?.banned ?? false });
  }

  /** Returns the time until the next account snapshot, ms. */
  function syncDelay(): number {
    const disconnected = account?.connected() !== true;
    const { sync_trade_time: pause } = state.bot.options;
    const differs = Object.keys(state.memory.quantities).length > 0;
    if (differs) return Math.min(RECHECK_MS, pause);
    const failing = disconnected || snapshots.isUnreachable() || keyPermissions.refusal() !== null;
    return failing ? Math.min(DISCONNECTED_SYNC_MS, pause) : pause;
  }

  /** Acquires the account of the bot, and retries until that succeeds or the bot is closed. */
  async function acquireAccount(): Promise<void> {
    const backoff = createBackoff(OPEN_RETRY);
    while (account === null) {
      try {
        account = await deps.accounts.acquire(bot.owner, bot.keyId);
      } catch (error) {
        snapshots.onUnreachable(error);
        await backoff.wait(closing.signal);
      }
      if (closed()) break;
    }
  }

  return {
    session,
    feed(event) {
      const { requests, ...output } = feedLive(session, event);
      const opens = snapshots.holdsAllocationLock() && event.type === 'account_snapshot';
      const unitsChanged = forgetRejectedUnits();
      if (requests.length === 0 && !opens && !unitsChanged) return output;
      return {
        ...output,
        act() {
          if (opens) snapshots.releaseAllocationLock();
          if (unitsChanged) callbacks.onUnitProblem([...rejectedDecimals.keys()].at(-1) ?? null);
          perform(requests);
        },
      };
    },
    nextTimer: () => nextLiveTimer(session),
    async open(given) {
      callbacks = given;
      subscriptions.push(deps.pauses.listen(onPause));
      onPause(deps.pauses.current());
      await acquireAccount();
      if (account === null) return;
      if (closed()) {
        await deps.accounts.release(bot.keyId);
        return;
      }
      setup.setStreaming(account.connected());
      opened = true;
      subscriptions.push(
        account.listen(onAccountEvent),
        deps.onKeyStateChanged(bot.keyId, () => {
          account?.retryStream();
          void syncs.sync();
        }),
      );
      emit({ type: 'resumed', at: now() });
      const backoff = createBackoff(OPEN_RETRY);
      while (!closed() && !(await syncs.sync())) await backoff.wait(closing.signal);
    },
    account() {
      if (closed()) return null;
      const comparedAt = snapshots.comparedAt();
      if (keyPermissions.refusal() !== null) return { connection: 'key_refused', comparedAt };
      if (snapshots.isUnreachable()) return { connection: 'unreachable', comparedAt };
      if (comparedAt === null) return { connection: 'connecting', comparedAt };
      return { connection: account?.connected() ? 'streaming' : 'polling', comparedAt };
    },
    async close() {
      if (closed()) return;
      closing.abort();
      for (const end of subscriptions) end();
      snapshots.releaseAllocationLock();
      syncs.cancel();
      if (account !== null && opened) await deps.accounts.release(bot.keyId);
    },
  };
}
