import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { ExecutionEvent, KeyState, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { entryBlockOf } from '@heron/engine/live/keyState.ts';
import { feedLive, nextLiveTimer } from '@heron/engine/live/liveSession.ts';
import { incomeKey } from '@heron/engine/live/ownIncomes.ts';
import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { exact, type Quote } from '@heron/engine/money/units.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { unitsUp } from '@heron/exchanges/venue/amounts.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { Logger } from '../log.ts';
import type { BotMachine } from '../runner/botMachine.ts';
import type { VenuePauses } from '../worker/openEgress.ts';
import type { Accounts, SharedAccount } from './accounts.ts';
import { createActivePairs } from './activePairs.ts';
import type { AllocationLock, HeldAllocationLock } from './allocationLock.ts';
import { createContractSetup } from './contractSetup.ts';
import { openKeyPermissionCheck } from './keyPermissionCheck.ts';
import { createOrderSender } from './orderSender.ts';
import type { OtherBots } from './otherBots.ts';
import { readAccount } from './readAccount.ts';

const OPEN_RETRY = { minMs: 1_000, maxMs: 15_000 };
/** Interval of account snapshots while the account stream is disconnected, or the key is refused. */
const DISCONNECTED_SYNC_MS = 5_000;
/** After a discrepancy between account and state, a second snapshot is read after this time, and booked. */
const RECHECK_MS = 3_000;

/** Incomes of a snapshot: those to book now, and those that the next snapshot reads again. */
export interface SnapshotIncomes {
  readonly incomes: readonly OwnIncome[];
  readonly later: readonly OwnIncome[];
}

/** Dependencies of a live bot beside those of every bot. */
export interface LiveDeps {
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly pauses: VenuePauses;
  now(): number;
  markets(): Promise<readonly Market[]>;
  /** Returns a fill with its fee converted to quote units. */
  withFeeInQuote(fill: OwnFill): Promise<OwnFill>;
  otherBotsOnAccount(keyId: string, botId: string, currency: string): Promise<OtherBots>;
  /** Adds the terms of the funding payments of some pairs. Incomes whose terms cannot be read now are in `later`. */
  attachFundingTerms(incomes: readonly OwnIncome[], pairs: ReadonlySet<string>): Promise<SnapshotIncomes>;
  /** Makes bots allocate their shares of an account one after another. */
  readonly allocationLock: AllocationLock;
  /** Whether the key may withdraw, as the exchange reported last. */
  mayWithdraw(keyId: string): Promise<boolean>;
  /** Calls the listener whenever the permissions of a key were read. @returns a function that ends it */
  onKeyChecked(keyId: string, listener: () => void): () => void;
}

/** The callbacks that the runner passes to a machine when it opens it. */
interface RunnerCallbacks {
  emit(event: ExecutionEvent): void;
  /** Is called with the fault that keeps the bot from its account; null once it is over. */
  onProblem(error: unknown): void;
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
  let callbacks: RunnerCallbacks = { emit() {}, onProblem() {} };
  let timer: NodeJS.Timeout | null = null;
  /** When the timer fires, by `performance.now()`. */
  let dueAt = 0;
  let syncing: Promise<boolean> | null = null;
  let unreachable = false;
  let comparedAt: number | null = null;
  /** Held from the snapshot that gives the bot its share of the account until that share is committed. */
  let heldLock: HeldAllocationLock | null = null;
  const activePairs = createActivePairs(state);
  const setup = createContractSetup();
  const keyPermissions = openKeyPermissionCheck(now);

  const sendRequest = createOrderSender({
    ...{ log, setup, now, withFeeInQuote: deps.withFeeInQuote },
    onAccepted() {
      const wasRefused = keyPermissions.refusal() !== null;
      keyPermissions.worked();
      if (wasRefused) syncFromNow();
    },
    onFailed: recordKeyRefusal,
    onExitRefused() {
      if (now() - (comparedAt ?? 0) >= RECHECK_MS) syncFromNow();
    },
  });

  const closed = () => closing.signal.aborted;
  const emit = (event: ExecutionEvent) => callbacks.emit(event);

  function perform(requests: readonly LiveRequest[]): void {
    if (account === null) return;
    for (const request of requests) {
      activePairs.add(request.type === 'place' ? request.ticket.pair : request.pair);
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
    emit({ type: 'key', at: now(), state: 'refused' });
    scheduleSync();
  }

  /** Returns the state of the key after the account was read. While its right to trade is in doubt, the permissions are read. */
  async function keyState({ trading }: SharedAccount): Promise<KeyState> {
    const wasRefused = keyPermissions.refusal() !== null || state.bot.barred === 'key_refused';
    if (!(await keyPermissions.isAccepted(trading, wasRefused))) return 'refused';
    if (wasRefused) callbacks.onProblem(null);
    return (await deps.mayWithdraw(bot.keyId)) ? 'may_withdraw' : 'fine';
  }

  function onAccountEvent(event: AccountEvent): void {
    if (closed()) return;
    switch (event.type) {
      case 'connected':
        setup.setStreaming(true);
        // Events were missed while the stream was disconnected.
        syncFromNow();
        break;
      case 'lost':
        log.info({ err: event.error }, 'the account stream is disconnected');
        setup.setStreaming(false);
        scheduleSync();
        break;
      case 'changed':
        syncFromNow();
        break;
      case 'order':
        emit({ type: 'reported', at: now(), report: event.report });
        break;
      case 'fill':
        if (!event.fill.clientOrderId.startsWith(`${state.bot.id}-`)) setup.invalidate(event.fill.pair);
        deps.withFeeInQuote(event.fill).then(
          (fill) => {
            if (!closed()) emit({ type: 'traded', at: now(), fills: [fill] });
          },
          // The next account snapshot contains the fill again.
          (error: unknown) => log.warn({ err: error }, 'a fill could not be valued'),
        );
        break;
      case 'balances': {
        const own = event.balances.find(({ asset }) => asset === currency);
        if (own) emit({ type: 'free', at: now(), free: unitsUp(own.free) });
      }
    }
  }

  /** Reads one account snapshot; calls during a running snapshot share it. @returns whether it succeeded */
  function sync(): Promise<boolean> {
    cancelTimer();
    syncing ??= readSnapshot().finally(() => {
      syncing = null;
      scheduleSync();
    });
    return syncing;
  }

  /** Reads a snapshot that starts from now on, because a running one may miss the newest changes. */
  function syncFromNow(): void {
    void (syncing === null ? sync() : syncing.then(sync));
  }

  async function readSnapshot(): Promise<boolean> {
    if (account === null || closed()) return false;
    if (!state.opened && heldLock === null) {
      heldLock = await deps.allocationLock.acquire(bot.keyId, closing.signal).catch((error: unknown) => {
        log.warn({ err: error }, 'the share of the account could not be locked');
        return null;
      });
      if (heldLock === null || closed()) return releaseLock();
    }
    const { trading } = account;
    const active = activePairs.next(trading.margin ? trading.time() : null);
    const observe = setup.beginObservation();
    try {
      const watched = new Set(
        state.bot.pairs.filter(({ flag }) => flag !== 'currency' && flag !== 'watch_limit').map(({ pair }) => pair),
      );
      const markets = (await deps.markets()).filter(({ pair }) => watched.has(pair));
      const { cursors, incomesSince } = state;
      const query = { currency, markets, active: active.pairs, cursors, incomesSince };
      const seen = await readAccount(
        trading,
        query,
        () => deps.otherBotsOnAccount(bot.keyId, state.bot.id, currency),
        now,
      );
      const fills = await Promise.all(seen.fills.map(deps.withFeeInQuote));
      const withTerms = await addFundingTerms(seen.incomes, watched);
      const key = await keyState(account);
      if (closed()) return false;
      // Nothing is awaited from here on, so that no pair becomes active unnoticed.
      const missed = active.missed();
      const { incomes, later } = withoutMissed(withTerms, missed);
      const cash = cashWithout(later, seen.cash);
      activePairs.onSnapshot();
      observe(seen.pairs, (name) => {
        const holding = state.bot.pairs.find(({ pair }) => pair === name)?.holding;
        return holding === undefined ? 0 : holding.side * holding.quantity;
      });
      if (unreachable) callbacks.onProblem(null);
      unreachable = false;
      comparedAt = now();
      const settled = seen.settled && missed.size === 0;
      // Incomes that are booked later must be read again, however old they are by then.
      const nextIncomes = Math.min(seen.incomesSince, ...later.map(({ at }) => at));
      // The key comes before the snapshot, because a bot that was just taken over may trade after the snapshot.
      if (entryBlockOf(key) !== state.bot.barred) emit({ type: 'key', at: now(), state: key });
      emit({
        type: 'account',
        at: now(),
        account: { ...seen, cash, fills, incomes, incomesSince: nextIncomes, settled },
      });
      return true;
    } catch (error) {
      releaseLock();
      if (closed()) return false;
      active.restore();
      recordKeyRefusal(error);
      unreachable = true;
      callbacks.onProblem(error);
      return false;
    }
  }

  /** Adds funding terms to the incomes that are not booked yet. Those whose terms cannot be read now are in `later`. */
  async function addFundingTerms(seen: readonly OwnIncome[], watched: ReadonlySet<string>): Promise<SnapshotIncomes> {
    const { incomes, later } = await deps.attachFundingTerms(
      seen.filter((income) => !isBooked(income)),
      watched,
    );
    return { incomes: [...seen.filter(isBooked), ...incomes], later };
  }

  /** Moves the incomes of missed pairs to `later`, because only the fills show what was held at their time. */
  function withoutMissed({ incomes, later }: SnapshotIncomes, missed: ReadonlySet<string>): SnapshotIncomes {
    const waits = (income: OwnIncome) => missed.has(income.pair) && !isBooked(income);
    return {
      incomes: incomes.filter((income) => !waits(income)),
      later: [...later, ...incomes.filter(waits)],
    };
  }

  function isBooked(income: OwnIncome): boolean {
    return state.applied[incomeKey(income)] === true;
  }

  /** Returns the cash without incomes that are booked later. The first snapshot takes all cash as the starting capital. */
  function cashWithout(later: readonly OwnIncome[], cash: Quote): Quote {
    return state.opened ? later.reduce((left, { amount }) => exact(left - amount), cash) : cash;
  }

  function releaseLock(): false {
    heldLock?.release();
    heldLock = null;
    return false;
  }

  function onPause(pause: Pause | null): void {
    if (closed() || (pause === null && state.bot.pause === undefined)) return;
    emit({ type: 'paused', at: now(), until: pause?.until ?? 0, banned: pause?.banned ?? false });
  }

  function cancelTimer(): void {
    if (timer) clearTimeout(timer);
    timer = null;
  }

  /**
   * Schedules the next snapshot. A snapshot that is due sooner keeps its time: a stream that is lost again and again must not
   * postpone it.
   */
  function scheduleSync(): void {
    if (closed()) return;
    const disconnected = account?.connected() !== true;
    const { sync_trade_time: pause } = state.bot.options;
    const differs = Object.keys(state.memory.quantities).length > 0;
    const soon = differs
      ? RECHECK_MS
      : disconnected || unreachable || keyPermissions.refusal() !== null
        ? DISCONNECTED_SYNC_MS
        : pause;
    const delay = Math.min(soon, pause);
    const at = performance.now() + delay;
    if (timer !== null && dueAt <= at) return;
    cancelTimer();
    dueAt = at;
    timer = setTimeout(() => void sync(), delay);
  }

  return {
    session,
    feed(event) {
      const { requests, ...output } = feedLive(session, event);
      const opens = heldLock !== null && event.type === 'account';
      if (requests.length === 0 && !opens) return output;
      return {
        ...output,
        act() {
          if (opens) releaseLock();
          perform(requests);
        },
      };
    },
    nextTimer: () => nextLiveTimer(session),
    async open(onEvent, onProblem) {
      callbacks = { emit: onEvent, onProblem };
      subscriptions.push(deps.pauses.listen(onPause));
      onPause(deps.pauses.current());
      const backoff = createBackoff(OPEN_RETRY);
      while (account === null) {
        try {
          account = await deps.accounts.acquire(bot.owner, bot.keyId);
        } catch (error) {
          unreachable = true;
          recordKeyRefusal(error);
          callbacks.onProblem(error);
          await backoff.wait(closing.signal);
        }
        if (closed()) break;
      }
      if (account === null) return;
      if (closed()) {
        await deps.accounts.release(bot.keyId);
        return;
      }
      setup.setStreaming(account.connected());
      opened = true;
      subscriptions.push(
        account.listen(onAccountEvent),
        deps.onKeyChecked(bot.keyId, () => void sync()),
      );
      emit({ type: 'resumed', at: now() });
      backoff.reset();
      while (!closed() && !(await sync())) await backoff.wait(closing.signal);
    },
    account() {
      if (closed()) return null;
      if (keyPermissions.refusal() !== null) return { connection: 'key_refused', comparedAt };
      if (unreachable) return { connection: 'unreachable', comparedAt };
      if (comparedAt === null) return { connection: 'connecting', comparedAt };
      return { connection: account?.connected() ? 'streaming' : 'polling', comparedAt };
    },
    async close() {
      if (closed()) return;
      closing.abort();
      for (const end of subscriptions) end();
      releaseLock();
      cancelTimer();
      if (account !== null && opened) await deps.accounts.release(bot.keyId);
    },
  };
}
