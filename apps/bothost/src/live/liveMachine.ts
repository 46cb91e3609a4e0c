import type { LiveSession } from '@heron/engine/live/eventContext.ts';
import type { ExecutionEvent, KeyState, LiveRequest } from '@heron/engine/live/executionEvent.ts';
import { entryBlockOf } from '@heron/engine/live/keyState.ts';
import { feedLive, nextLiveTimer } from '@heron/engine/live/liveSession.ts';
import type { OrderRequest } from '@heron/engine/live/orderRequest.ts';
import { incomeKey } from '@heron/engine/live/ownIncomes.ts';
import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { exact, type Quote } from '@heron/engine/money/units.ts';
import { isBusy } from '@heron/engine/state/pairActivity.ts';
import { ExchangeError, ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { Pause } from '@heron/exchanges/net/pause.ts';
import type { AccountEvent } from '@heron/exchanges/trading.ts';
import { unitsUp } from '@heron/exchanges/venue/amounts.ts';
import { createBackoff } from '@heron/runtime/backoff.ts';
import type { Logger } from '../log.ts';
import type { BotMachine } from '../runner/botMachine.ts';
import type { VenuePauses } from '../worker/openEgress.ts';
import type { Accounts, SharedAccount } from './accounts.ts';
import type { AllocationLock, HeldAllocationLock } from './allocationLock.ts';
import { createContractSetup } from './contractSetup.ts';
import { openKeyPermissionCheck } from './keyPermissionCheck.ts';
import type { OtherBots } from './otherBots.ts';
import { INCOMES_LAG_MS, readAccount } from './readAccount.ts';

const OPEN_RETRY = { minMs: 1_000, maxMs: 15_000 };
/** While the account's stream is away, or the key is refused, the account is looked at this often. */
const DISCONNECTED_SYNC_MS = 5_000;
/** After a discrepancy between account and books, the second snapshot, which is booked, is read after this. */
const RECHECK_MS = 3_000;
/** One look in so many asks for the fills of every pair. */
const FULL_SYNC_INTERVAL = 10;

/** What a live bot runs on beside what every bot runs on. */
export interface LiveDeps {
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly pauses: VenuePauses;
  now(): number;
  markets(): Promise<readonly Market[]>;
  /** The fill with the value of a fee that was paid in a third asset. */
  withFeeInQuote(fill: OwnFill): Promise<OwnFill>;
  otherBotsOnAccount(keyId: string, botId: string, currency: string): Promise<OtherBots>;
  /** Incomes, with what funding of these pairs was paid by; those of which it cannot be found out now are for later. */
  attachFundingTerms(
    incomes: readonly OwnIncome[],
    pairs: ReadonlySet<string>,
  ): Promise<{ readonly incomes: readonly OwnIncome[]; readonly later: readonly OwnIncome[] }>;
  /** In which bots take their share of their accounts. */
  readonly allocationLock: AllocationLock;
  /** Whether the key may withdraw, as the exchange told last. */
  mayWithdraw(keyId: string): Promise<boolean>;
  /** @param listener told when the exchange has told anew what the key may do @returns stops listening */
  onKeyChecked(keyId: string, listener: () => void): () => void;
}

type RequestOf<Type extends LiveRequest['type']> = Extract<LiveRequest, { type: Type }>;
type EmitEvent = (event: ExecutionEvent) => void;

/** A bot on a real exchange. What it wants is sent once it is committed; what comes of it is told as news. */
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
  let unlisten: (() => void) | null = null;
  let endPauses = () => {};
  let emit: EmitEvent = () => {};
  let trouble: (error: unknown) => void = () => {};
  let timer: NodeJS.Timeout | null = null;
  let syncing: Promise<boolean> | null = null;
  let troubled = false;
  /** Looks that worked. */
  let snapshots = 0;
  let comparedAt: number | null = null;
  /** Pairs that held or ordered at the last look, or have since. */
  let lately = new Set<string>();
  /** Held from the look that tells the bot its share until that is committed. */
  let heldLock: HeldAllocationLock | null = null;
  const setup = createContractSetup();
  const keyPermissions = openKeyPermissionCheck(now);

  const closed = () => closing.signal.aborted;

  function perform(requests: readonly LiveRequest[]): void {
    if (account === null) return;
    for (const request of requests) {
      lately.add(request.type === 'place' ? request.ticket.pair : request.pair);
      const sent = sendRequest(account, request);
      sent.then(
        (event) => {
          if (event !== null && !closed()) emit(event);
        },
        (error: unknown) => log.error({ err: error }, 'a request to the exchange failed in an unforeseen way'),
      );
    }
  }

  async function sendRequest({ trading }: SharedAccount, request: LiveRequest): Promise<ExecutionEvent | null> {
    switch (request.type) {
      case 'place':
        return place(request.ticket);
      case 'cancel':
        return cancel(request);
      case 'ask': {
        const { pair, clientOrderId, kind } = request;
        const askedAt = now();
        // Asked again in a moment when there is no answer.
        const report = await trading.order(pair, clientOrderId, kind).catch(logged('an order could not be asked for'));
        if (report === undefined) return null;
        return report === null
          ? { type: 'absent', at: now(), clientOrderId, askedAt }
          : { type: 'found', at: now(), report };
      }
      case 'trades': {
        const fills = await trading
          .ownTrades(request.pair, request.since)
          .catch(logged('fills could not be asked for'));
        return fills === undefined
          ? null
          : { type: 'traded', at: now(), fills: await Promise.all(fills.map(deps.withFeeInQuote)) };
      }
    }
  }

  async function place(request: OrderRequest): Promise<ExecutionEvent> {
    const { clientOrderId } = request;
    const { trading } = account as SharedAccount;
    try {
      await setup.prepare(trading, request);
    } catch (error) {
      log.warn({ err: error, clientOrderId }, 'a contract could not be set up for an order, which was not sent');
      const why = error instanceof ExchangeError ? error.message : 'the contract could not be set up';
      return { type: 'refused', at: now(), clientOrderId, how: 'rejected', why };
    }
    try {
      const { report, fills } = await trading.place(request);
      const wasRefused = keyPermissions.refusal() !== null;
      keyPermissions.worked();
      if (wasRefused) restartReading();
      const withFeeInQuote = await Promise.all(fills.map(deps.withFeeInQuote));
      return { type: 'taken', at: now(), clientOrderId, report, fills: withFeeInQuote };
    } catch (error) {
      log.warn({ err: error, clientOrderId }, 'an order was not taken, or nobody knows');
      recordKeyRefusal(error);
      // The owner may have sold or withdrawn the coins by hand.
      if (error instanceof ExchangeRefused && request.exit && now() - (comparedAt ?? 0) >= RECHECK_MS) restartReading();
      if (!(error instanceof ExchangeError) || error.kind === 'unknown_outcome') {
        return { type: 'unanswered', at: now(), clientOrderId };
      }
      const crossed = error instanceof ExchangeRefused && error.about === 'would_take';
      const how = crossed ? 'post_only_rejected' : 'rejected';
      return { type: 'refused', at: now(), clientOrderId, how, why: error.message };
    }
  }

  async function cancel({ pair, clientOrderId, kind }: RequestOf<'cancel'>): Promise<ExecutionEvent> {
    try {
      const report = await (account as SharedAccount).trading.cancel(pair, clientOrderId, kind);
      if (report !== null) return { type: 'reported', at: now(), report };
    } catch (error) {
      log.info({ err: error, clientOrderId }, 'a cancel did not work, or nobody knows');
      recordKeyRefusal(error);
    }
    // Whatever became of it, the order says.
    return { type: 'unanswered', at: now(), clientOrderId };
  }

  /** Reports the first refusal of the key, which blocks entries; later orders are not reported one by one. */
  function recordKeyRefusal(error: unknown): void {
    if (closed() || !keyPermissions.failed(error)) return;
    trouble(error);
    emit({ type: 'key', at: now(), state: 'refused' });
    plan();
  }

  /** Returns the state of the key after the account was read. While its right to trade is in doubt, the permissions are read. */
  async function keyState({ trading }: SharedAccount): Promise<KeyState> {
    const wasRefused = keyPermissions.refusal() !== null || state.bot.barred === 'key_refused';
    if (!(await keyPermissions.isAccepted(trading, wasRefused))) return 'refused';
    if (wasRefused) trouble(null);
    return (await deps.mayWithdraw(bot.keyId)) ? 'may_withdraw' : 'fine';
  }

  const logged = (what: string) => (error: unknown) => {
    log.warn({ err: error }, what);
    return undefined;
  };

  function onAccountEvent(event: AccountEvent): void {
    if (closed()) return;
    switch (event.type) {
      case 'connected':
        setup.setStreaming(true);
        // What happened while nobody listened.
        restartReading();
        break;
      case 'lost':
        log.info({ err: event.error }, "the account's stream is away");
        setup.setStreaming(false);
        plan();
        break;
      case 'changed':
        restartReading();
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
          // It is told again by the next look at the account.
          (error: unknown) => log.warn({ err: error }, 'a fill could not be valued'),
        );
        break;
      case 'balances': {
        const own = event.balances.find(({ asset }) => asset === currency);
        if (own) emit({ type: 'free', at: now(), free: unitsUp(own.free) });
      }
    }
  }

  /** Looks at the account once; whoever asks meanwhile has the same look. @returns whether it worked */
  function sync(): Promise<boolean> {
    syncing ??= readSnapshot().finally(() => {
      syncing = null;
      plan();
    });
    return syncing;
  }

  /** A look that is under way may have missed something. */
  function restartReading(): void {
    void (syncing === null ? sync() : syncing.then(sync));
  }

  async function readSnapshot(): Promise<boolean> {
    if (account === null || closed()) return false;
    if (!state.opened && heldLock === null) {
      heldLock =
        (await deps.allocationLock.acquire(bot.keyId, closing.signal).catch(logged('it is no turn yet'))) ?? null;
      if (heldLock === null || closed()) return releaseLock();
    }
    const before = lately;
    const active = activePairs();
    const shown = setup.beginObservation();
    try {
      const watched = new Set(
        state.bot.pairs.filter(({ flag }) => flag !== 'currency' && flag !== 'watch_limit').map(({ pair }) => pair),
      );
      const markets = (await deps.markets()).filter(({ pair }) => watched.has(pair));
      const { cursors, incomesSince } = state;
      const question = { currency, markets, active, cursors, incomesSince };
      const seen = await readAccount(
        account.trading,
        question,
        () => deps.otherBotsOnAccount(bot.keyId, state.bot.id, currency),
        now,
      );
      const fills = await Promise.all(seen.fills.map(deps.withFeeInQuote));
      const { incomes, later } = await onIncomes(seen.incomes, watched);
      const cash = cashWithout(later, seen.cash);
      const key = await keyState(account);
      if (closed()) return false;
      snapshots += 1;
      shown(seen.pairs, (name) => {
        const holding = state.bot.pairs.find(({ pair }) => pair === name)?.holding;
        return holding === undefined ? 0 : holding.side * holding.quantity;
      });
      if (troubled) trouble(null);
      troubled = false;
      comparedAt = now();
      // Pairs that came to life while the account was read were not asked for.
      const settled = seen.settled && [...lately].every((pair) => active.has(pair));
      // Before the look itself, after which a bot that was just taken over may decide.
      if (entryBlockOf(key) !== state.bot.barred) emit({ type: 'key', at: now(), state: key });
      emit({ type: 'account', at: now(), account: { ...seen, cash, fills, incomes, settled } });
      return true;
    } catch (error) {
      releaseLock();
      if (closed()) return false;
      // What was to be asked for is to be asked for still.
      for (const pair of before) lately.add(pair);
      recordKeyRefusal(error);
      troubled = true;
      trouble(error);
      return false;
    }
  }

  /** Nothing is asked of what is booked already. */
  async function onIncomes(seen: readonly OwnIncome[], watched: ReadonlySet<string>) {
    const isBooked = (income: OwnIncome) => state.applied[incomeKey(income)] === true;
    const { incomes, later } = await deps.attachFundingTerms(
      seen.filter((income) => !isBooked(income)),
      watched,
    );
    return { incomes: [...seen.filter(isBooked), ...incomes], later };
  }

  /** As if these had not come yet. What there is at the first look is what there is to trade with. */
  function cashWithout(later: readonly OwnIncome[], cash: Quote): Quote {
    return state.opened ? later.reduce((left, { amount }) => exact(left - amount), cash) : cash;
  }

  function releaseLock(): false {
    heldLock?.release();
    heldLock = null;
    return false;
  }

  /** Every pair now and then; in between those that hold or order, or did so at the last look. */
  function activePairs(): ReadonlySet<string> {
    const busy = state.bot.pairs.filter((pair) => isBusy(pair) || pair.holding.quantity > 0).map(({ pair }) => pair);
    const ordered = state.orders.map(({ pair }) => pair);
    const all = snapshots % FULL_SYNC_INTERVAL === 0 ? state.bot.pairs.map(({ pair }) => pair) : [];
    // What a position was paid or cost may be told when it is over: whose it was, its fills say.
    const since = (account?.trading.margin ? account.trading.time() : Number.POSITIVE_INFINITY) - INCOMES_LAG_MS;
    const ended = state.bot.pairs.map(({ pair }) => pair).filter((pair) => (state.flatSince[pair] ?? 0) > since);
    const active = new Set([...all, ...busy, ...ordered, ...ended, ...lately]);
    lately = new Set([...busy, ...ordered]);
    return active;
  }

  function onPause(pause: Pause | null): void {
    if (closed() || (pause === null && state.bot.pause === undefined)) return;
    emit({ type: 'paused', at: now(), until: pause?.until ?? 0, banned: pause?.banned ?? false });
  }

  function plan(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (closed()) return;
    const disconnected = account?.connected() !== true;
    const { sync_trade_time: pause } = state.bot.options;
    const differs = Object.keys(state.memory.quantities).length > 0;
    const soon = differs
      ? RECHECK_MS
      : disconnected || troubled || keyPermissions.refusal() !== null
        ? DISCONNECTED_SYNC_MS
        : pause;
    timer = setTimeout(() => void sync(), Math.min(soon, pause));
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
    async open(given, troubleTeller) {
      emit = given;
      trouble = troubleTeller;
      endPauses = deps.pauses.listen(onPause);
      onPause(deps.pauses.current());
      const backoff = createBackoff(OPEN_RETRY);
      while (account === null) {
        try {
          account = await deps.accounts.acquire(bot.owner, bot.keyId);
        } catch (error) {
          troubled = true;
          recordKeyRefusal(error);
          trouble(error);
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
      const stops = [account.listen(onAccountEvent), deps.onKeyChecked(bot.keyId, () => void sync())];
      unlisten = () => {
        for (const stop of stops) stop();
      };
      emit({ type: 'resumed', at: now() });
      backoff.reset();
      while (!closed() && !(await sync())) await backoff.wait(closing.signal);
    },
    account() {
      if (closed()) return null;
      if (keyPermissions.refusal() !== null) return { connection: 'key_refused', comparedAt };
      if (troubled) return { connection: 'unreachable', comparedAt };
      if (comparedAt === null) return { connection: 'connecting', comparedAt };
      return { connection: account?.connected() ? 'streaming' : 'polling', comparedAt };
    },
    async close() {
      if (closed()) return;
      closing.abort();
      endPauses();
      releaseLock();
      if (timer) clearTimeout(timer);
      unlisten?.();
      if (account !== null && unlisten !== null) await deps.accounts.release(bot.keyId);
    },
  };
}
