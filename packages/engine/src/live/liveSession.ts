import type { CommandResult } from '../bot/commandResult.ts';
import { handle } from '../bot/handle.ts';
import { finishIfDone } from '../bot/lifecycle.ts';
import { nextDue } from '../bot/onTimer.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Quote } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import { defaultOptions } from '../options/table.ts';
import { alignCandles, rebuildCandleLog, restoreBot } from '../session/botSession.ts';
import { commandOnce } from '../session/commandOnce.ts';
import { sampleDrawdown } from '../session/drawdown.ts';
import { handleAndDetectMove } from '../session/followedPrice.ts';
import type { Note } from '../session/journal.ts';
import { checkVersion, STATE_VERSION } from '../session/stateVersion.ts';
import { upgradeBot } from '../session/upgradeBot.ts';
import { withDefaults } from '../session/withDefaults.ts';
import type { Bot } from '../state/bot.ts';
import type { MarketEvent } from '../state/botEvents.ts';
import type { Params } from '../strategies/strategy.ts';
import { applyAccountSnapshot, onFreeBalance } from './applyAccountSnapshot.ts';
import type { EventContext, LiveSession } from './eventContext.ts';
import { applyPause, endPauseWhenOver } from './exchangePause.ts';
import type { ExecutionEvent, LiveRequest } from './executionEvent.ts';
import { recordExternalChange } from './externalChange.ts';
import { applyKeyState } from './keyState.ts';
import { createLiveState, type LiveState } from './liveState.ts';
import {
  findTrackedOrder,
  nextQueryAt,
  onAckWithoutReport,
  onFill,
  onOrderNotFound,
  onOrderRejected,
  onOrderReport,
  onOutcomeUnknown,
  queryAllOrders,
  queryDueOrders,
  sendEffects,
} from './orderLife.ts';
import { nextStopAt, onStopRejected } from './protectiveStops.ts';
import { syncProtectiveStops } from './syncProtectiveStops.ts';

export interface LiveConfig {
  /** Six characters; client order ids begin with it. */
  id: string;
  /** Validated. */
  options: BotOptions;
  params: Params;
  /** Share of the account; null for all of it. */
  allotment: Quote | null;
}

export interface LiveOutput {
  /** Journal notes of the event, in order. */
  notes: Note[];
  /** Money, orders or state changed: save the session in the transaction of the notes before anything else. */
  durable: boolean;
  /** Result of a command. */
  result: CommandResult | null;
  /** Requests to send once the session is saved, in this order; none may be sent twice. */
  requests: LiveRequest[];
}

/** Creates a session that has not started. */
export function createLiveSession({ id, options, params, allotment }: LiveConfig): LiveSession {
  return deriveSession(createLiveState(id, options, params, allotment));
}

/**
 * Restores a saved session. Orders that were unfinished when it was saved are queried on the event `resumed`.
 *
 * @param saved as JSON gave it
 * @throws SessionTooNew when a newer version of this program saved it
 */
export function restoreLive(saved: LiveState): LiveSession {
  checkVersion(saved.version);
  const { id, options, params } = saved.bot;
  const fresh = createLiveState(id, { ...defaultOptions(), ...options }, params, saved.allotment);
  upgradeBot(fresh.bot, saved.bot, saved.version);
  return deriveSession({ ...withDefaults(fresh, saved), ...ofOlderVersion(saved), version: STATE_VERSION });
}

/** Returns fields whose values in an older session differ from those of a new one. */
function ofOlderVersion({ bot, missing, peakTransfers }: Partial<LiveState>): Partial<LiveState> {
  const { quote = 0, transfers = 0 } = bot?.wallet ?? {};
  return {
    // Older versions charged one bot with every withdrawal, even below 0.
    ...(missing === undefined ? { missing: quote < 0 ? Math.max(0, -transfers) : 0 } : {}),
    ...(peakTransfers === undefined ? { peakTransfers: transfers } : {}),
  };
}

function deriveSession(state: LiveState): LiveSession {
  return { state, ...restoreBot(state.bot), synced: false, ended: new Map() };
}

/**
 * Feeds one event. Timers that are due before it run first, each at its own time; then the event; then its consequences.
 * Events must come in order of `at`; an older one counts as happening now.
 */
export function feedLive(session: LiveSession, event: MarketEvent | ExecutionEvent): LiveOutput {
  // An execution event at the moment of a timer is handled before the timer.
  const timersBy = EXECUTION_EVENTS.has(event.type) ? event.at - 1 : event.at;
  return handleInOrder(session, event.at, timersBy, (context) => onEvent(context, event));
}

/** Returns when a `timer` event is due; null for never. */
export function nextLiveTimer({ state, bot, synced }: LiveSession): number | null {
  const dueTimes = [
    state.bot.pause?.until ?? nextQueryAt(state.orders),
    ...(synced ? [nextDue(bot), nextStopAt(state.stops)] : []),
  ];
  const next = Math.min(...dueTimes.filter((at) => at > 0));
  return Number.isFinite(next) ? next : null;
}

const EXECUTION_EVENTS: ReadonlySet<string> = new Set<ExecutionEvent['type']>([
  'resumed',
  'accepted',
  'rejected',
  'outcome_unknown',
  'order_report',
  'order_status',
  'not_found',
  'fills',
  'free_balance',
  'key_state',
  'paused',
  'account_snapshot',
]);

function handleInOrder(
  session: LiveSession,
  given: number,
  timersBy: number,
  act: (context: EventContext) => CommandResult | null,
): LiveOutput {
  const { state, bot, notes } = session;
  const at = Math.max(given, state.now);
  notes.length = 0;
  const requests: LiveRequest[] = [];
  let durable = false;
  const contextAt = (now: number): EventContext => {
    state.now = now;
    return { session, at: now, effects: [], requests, durable: false };
  };
  // Timers of the bot run first, each at its own time.
  for (let due = nextDue(bot); session.synced && due > 0 && due <= timersBy; due = nextDue(bot)) {
    const context = contextAt(Math.max(due, state.now));
    // Trailing exits depend on the best price, which must survive a restart.
    context.durable = handleAndDetectMove(bot, { type: 'timer', at: context.at }, context.effects);
    sendEffects(context);
    syncProtectiveStops(context);
    sendEffects(context);
    durable ||= context.durable;
  }
  const context = contextAt(at);
  const result = withoutFinish(bot, () => {
    endPauseWhenOver(context);
    const ofCommand = act(context);
    sendEffects(context);
    if (!session.synced) return ofCommand;
    syncProtectiveStops(context);
    sendEffects(context);
    return ofCommand;
  });
  finishIfDone(bot, at);
  const queriesFrom = requests.length;
  if (state.bot.pause === undefined) queryDueOrders(context);
  sampleDrawdown(bot, state);
  return {
    notes: [...notes],
    // Queries change nothing that must survive.
    durable:
      durable ||
      context.durable ||
      queriesFrom > 0 ||
      notes.some(({ kind }) => kind !== 'signal' && kind !== 'refusal'),
    result,
    requests,
  };
}

/** Handles an event that may have several parts, during which the bot is not finished. */
function withoutFinish<Result>(bot: Bot, act: () => Result): Result {
  bot.defersFinish = true;
  try {
    return act();
  } finally {
    bot.defersFinish = false;
  }
}

function onEvent(context: EventContext, event: MarketEvent | ExecutionEvent): CommandResult | null {
  const { session, at, effects } = context;
  const { bot, state, synced } = session;
  const indexOf = (name: string) => state.bot.pairs.findIndex(({ pair }) => pair === name);
  switch (event.type) {
    case 'history': {
      const index = indexOf(event.market.pair);
      rebuildCandleLog(session, index, event.candles);
      handle(bot, { ...event, at }, effects);
      context.durable = true;
      return null;
    }
    case 'unlisted':
      handle(bot, { ...event, at }, effects);
      context.durable = true;
      return null;
    case 'candle': {
      const market = state.bot.pairs[indexOf(event.pair)]?.market;
      // Until the account is known a candle counts as history: the bot decides nothing on it.
      if (!synced && market) handle(bot, { type: 'history', at, market, candles: [event.candle] }, effects);
      else handle(bot, { ...event, at }, effects);
      return null;
    }
    case 'quote': {
      if (!synced) return null;
      if (handleAndDetectMove(bot, event, effects)) context.durable = true;
      return null;
    }
    case 'ticker':
      handle(bot, { ...event, at }, effects);
      return null;
    case 'command': {
      context.durable = true;
      const { command } = event;
      if (!synced && (command.type === 'buy' || command.type === 'sell')) {
        return { ok: false, gate: 'not_ready', inputs: { flag: 'loading' } };
      }
      const { pairs, wallet } = state.bot;
      const result = commandOnce(bot, state.answers, command, at, effects);
      if (state.bot.pairs !== pairs) alignCandles(session, pairs);
      if (state.bot.wallet !== wallet) beginEpoch(session);
      return result;
    }
    // Fills and funding come from the account instead.
    case 'trade':
    case 'funding':
    case 'timer':
      return null;
    default:
      onExecutionEvent(context, event);
      return null;
  }
}

/**
 * Resets the account after a change of the currency; the next account snapshot brings its balance.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
function beginEpoch(session: LiveSession): void {
  const { state } = session;
  state.bot.wallet = openWallet(0);
  state.opened = false;
  state.maxDrawdown = 0;
  state.peakTransfers = 0;
  session.synced = false;
}

function onExecutionEvent(context: EventContext, event: ExecutionEvent): void {
  switch (event.type) {
    case 'resumed':
      context.session.synced = false;
      queryAllOrders(context);
      break;
    case 'accepted':
      for (const fill of event.fills) onFill(context, fill);
      if (event.report === null) onAckWithoutReport(context, event.clientOrderId);
      else onOrderReport(context, event.report, false);
      break;
    case 'rejected':
      onOrderRefused(context, event);
      break;
    case 'outcome_unknown':
      onOutcomeUnknown(context, event.clientOrderId);
      break;
    case 'order_report':
      onOrderReport(context, event.report, false);
      break;
    case 'order_status':
      onOrderReport(context, event.report, true);
      break;
    case 'not_found':
      onOrderNotFound(context, event.clientOrderId, event.askedAt);
      break;
    case 'fills':
      for (const fill of event.fills) onFill(context, fill);
      break;
    case 'free_balance':
      onFreeBalance(context, event.free);
      break;
    case 'key_state':
      applyKeyState(context, event.state);
      break;
    case 'paused':
      applyPause(context, event.until, event.banned);
      break;
    case 'account_snapshot':
      applyAccountSnapshot(context, event.account);
  }
}

function onOrderRefused(
  context: EventContext,
  { clientOrderId, how, why }: Extract<ExecutionEvent, { type: 'rejected' }>,
): void {
  const { pairs } = context.session.state.bot;
  const order = findTrackedOrder(context, clientOrderId);
  const protects = order?.trigger !== undefined;
  const pair = pairs.find(({ pair: name }) => name === order?.pair);
  // A refused key is the cause and is already recorded.
  const known = context.session.state.bot.entriesBlockedBy === 'key_refused';
  if ((how === 'rejected' || protects) && !known)
    recordExternalChange(context, order?.pair ?? null, { what: 'order_refused', clientOrderId, why });
  const applied = onOrderRejected(context, clientOrderId, how);
  if (applied && protects && pair !== undefined) onStopRejected(context, pair);
}
