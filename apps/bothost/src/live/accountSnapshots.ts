import type { AccountSnapshot, ExecutionEvent, KeyState } from '@heron/engine/live/executionEvent.ts';
import { entryBlockOf } from '@heron/engine/live/keyState.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import type { Quantity } from '@heron/engine/money/units.ts';
import { ExchangeRefused } from '@heron/exchanges/errors.ts';
import type { KeyPermissions, TradingExchange } from '@heron/exchanges/trading.ts';
import type { Logger } from '../log.ts';
import type { SharedAccount } from './accounts.ts';
import type { ActivePairSet, ActivePairs } from './activePairs.ts';
import type { AllocationLock, HeldAllocationLock } from './allocationLock.ts';
import type { AccountObservation, ContractSetup } from './contractSetup.ts';
import type { KeyPermissionCheck } from './keyPermissionCheck.ts';
import type { KeyPermissionReader } from './keyPermissionReader.ts';
import type { OtherBots } from './otherBots.ts';
import { readAccount } from './readAccount.ts';
import { cashWithout, isBooked, type SnapshotIncomes, withoutMissed } from './snapshotIncomes.ts';

/** Reads the account snapshots of a live bot, and remembers whether the last one succeeded. */
export interface AccountSnapshots {
  /** Reads one account snapshot and emits it. @returns whether it succeeded */
  read(account: SharedAccount): Promise<boolean>;
  /** Records that the account cannot be reached, until the next snapshot succeeds. */
  onUnreachable(error: unknown): void;
  isUnreachable(): boolean;
  /** Returns when the account was last compared with the state, ms since 1970; null before the first time. */
  comparedAt(): number | null;
  /** Whether other bots of the account wait until this bot's share of the account is committed. */
  holdsAllocationLock(): boolean;
  releaseAllocationLock(): void;
}

/** Dependencies for reading accounts, which all live bots of a worker share. */
export interface AccountReadingDeps {
  now(): number;
  markets(): Promise<readonly Market[]>;
  /** Returns a fill with its fee converted to quote units. */
  withFeeInQuote(fill: OwnFill): Promise<OwnFill>;
  otherBotsOnAccount(keyId: string, botId: string, currency: string): Promise<OtherBots>;
  /** Adds the terms of the funding payments of some pairs. Incomes whose terms cannot be read now are in `later`. */
  attachFundingTerms(incomes: readonly OwnIncome[], pairs: ReadonlySet<string>): Promise<SnapshotIncomes>;
  /** Makes bots allocate their shares of an account one after another. */
  readonly allocationLock: AllocationLock;
  /** Reads the permissions of keys, and stores them. */
  readonly permissions: KeyPermissionReader;
  /** Returns the permissions of a key as the exchange reported them last; null when they are unknown. */
  savedPermissions(keyId: string): Promise<Pick<KeyPermissions, 'trade' | 'withdraw'> | null>;
}

/** Dependencies for the account snapshots of one live bot. */
export interface AccountSnapshotsDeps {
  readonly reading: AccountReadingDeps;
  readonly log: Logger;
  readonly keyId: string;
  readonly state: LiveState;
  /** The currency of the bot, such as `USDT`. */
  readonly currency: string;
  readonly activePairs: ActivePairs;
  readonly setup: ContractSetup;
  readonly keyPermissions: KeyPermissionCheck;
  /** Aborts when the bot is closed. */
  readonly closing: AbortSignal;
  emit(event: ExecutionEvent): void;
  /** Is called with the fault that keeps the bot from its account; null once it is over. */
  onProblem(error: unknown): void;
  /** Is called with each failed request, before `onProblem`. */
  onFailed(error: unknown): void;
  /** Is called when the exchange accepts the key again. */
  onKeyAccepted(): void;
}

/** An account that was read, and the incomes that are booked later. */
interface ReadSnapshot {
  readonly seen: AccountSnapshot;
  readonly later: readonly OwnIncome[];
  readonly key: KeyState;
}

export function createAccountSnapshots(deps: AccountSnapshotsDeps): AccountSnapshots {
  const { reading, log, keyId, state, currency, activePairs, setup, keyPermissions, emit, onProblem } = deps;
  const { now } = reading;
  let unreachable = false;
  let comparedAt: number | null = null;
  /** Held from the snapshot that gives the bot its share of the account until that share is committed. */
  let heldLock: HeldAllocationLock | null = null;

  const closed = () => deps.closing.aborted;

  async function read(account: SharedAccount): Promise<boolean> {
    if (closed()) return false;
    if (!state.opened && heldLock === null && !(await lockAllocation())) return false;
    const { trading } = account;
    const active = activePairs.next(trading.margin ? trading.time() : null);
    const observe = setup.beginObservation();
    try {
      const snapshot = await readSnapshot(trading, active.pairs);
      if (closed()) return false;
      onRead(snapshot, active, observe);
      return true;
    } catch (error) {
      releaseAllocationLock();
      if (closed()) return false;
      active.restore();
      onUnreachable(error);
      return false;
    }
  }

  /** @returns false when the bot is closed, or its share of the account could not be locked */
  async function lockAllocation(): Promise<boolean> {
    heldLock = await reading.allocationLock.acquire(keyId, deps.closing).catch((error: unknown) => {
      log.warn({ err: error }, 'the share of the account could not be locked');
      return null;
    });
    if (heldLock !== null && !closed()) return true;
    releaseAllocationLock();
    return false;
  }

  async function readSnapshot(trading: TradingExchange, active: ReadonlySet<string>): Promise<ReadSnapshot> {
    const watched = new Set(
      state.bot.pairs.filter(({ flag }) => flag !== 'currency' && flag !== 'watch_limit').map(({ pair }) => pair),
    );
    const markets = (await reading.markets()).filter(({ pair }) => watched.has(pair));
    const { cursors, incomesSince } = state;
    const query = { currency, markets, active, cursors, incomesSince };
    const others = () => reading.otherBotsOnAccount(keyId, state.bot.id, currency);
    const seen = await readAccount(trading, query, others, now);
    const fills = await Promise.all(seen.fills.map(reading.withFeeInQuote));
    const { incomes, later } = await addFundingTerms(seen.incomes, watched);
    const key = await keyState(trading);
    return { seen: { ...seen, fills, incomes }, later, key };
  }

  /** Emits a snapshot. It awaits nothing, so that no pair becomes active unnoticed. */
  function onRead({ seen, later: postponed, key }: ReadSnapshot, active: ActivePairSet, observe: AccountObservation) {
    const missed = active.missed();
    const { incomes, later } = withoutMissed(state, { incomes: seen.incomes, later: postponed }, missed);
    const cash = cashWithout(state, later, seen.cash);
    activePairs.onSnapshot();
    observe(seen.pairs, ownPosition);
    if (unreachable) onProblem(null);
    unreachable = false;
    comparedAt = now();
    const settled = seen.settled && missed.size === 0;
    const lacksIncomes = later.length > 0;
    // Incomes that are booked later must be read again, however old they are by then.
    const incomesSince = Math.min(seen.incomesSince, ...later.map(({ at }) => at));
    // The key comes before the snapshot, because a bot that was just taken over may trade after the snapshot.
    if (entryBlockOf(key) !== state.bot.entriesBlockedBy) emit({ type: 'key_state', at: now(), state: key });
    emit({
      type: 'account_snapshot',
      at: now(),
      account: { ...seen, cash, incomes, lacksIncomes, incomesSince, settled },
    });
  }

  /** Returns the bot's position in a pair, signed. */
  function ownPosition(name: string): Quantity {
    const holding = state.bot.pairs.find(({ pair }) => pair === name)?.holding;
    return holding === undefined ? 0 : holding.side * holding.quantity;
  }

  /** Adds funding terms to the incomes that are not booked yet. Those whose terms cannot be read now are in `later`. */
  async function addFundingTerms(seen: readonly OwnIncome[], watched: ReadonlySet<string>): Promise<SnapshotIncomes> {
    const { incomes, later } = await reading.attachFundingTerms(
      seen.filter((income) => !isBooked(state, income)),
      watched,
    );
    return { incomes: [...seen.filter((income) => isBooked(state, income)), ...incomes], later };
  }

  /** Returns the state of the key after the account was read. The permissions are read daily, and while the right to trade is in doubt. */
  async function keyState(trading: TradingExchange): Promise<KeyState> {
    const wasRefused = keyPermissions.refusal() !== null || state.bot.entriesBlockedBy === 'key_refused';
    const permissions = () => reading.permissions.read(keyId, trading);
    if (!(await keyPermissions.isAccepted({ permissions }, wasRefused))) return 'refused';
    if (wasRefused) {
      onProblem(null);
      deps.onKeyAccepted();
    }
    // The snapshot does not wait for it: the permissions may be on a host of another venue. The next one has its result.
    reading.permissions.readDaily(keyId, trading).catch(deps.onFailed);
    const saved = await reading.savedPermissions(keyId);
    if (saved?.trade === false)
      deps.onFailed(new ExchangeRefused(trading.name, 'the key may not trade', 'not_allowed'));
    if (keyPermissions.refusal() !== null) return 'refused';
    return saved?.withdraw ? 'may_withdraw' : 'fine';
  }

  function onUnreachable(error: unknown): void {
    unreachable = true;
    deps.onFailed(error);
    onProblem(error);
  }

  function releaseAllocationLock(): void {
    heldLock?.release();
    heldLock = null;
  }

  return {
    read,
    onUnreachable,
    isUnreachable: () => unreachable,
    comparedAt: () => comparedAt,
    holdsAllocationLock: () => heldLock !== null,
    releaseAllocationLock,
  };
}
