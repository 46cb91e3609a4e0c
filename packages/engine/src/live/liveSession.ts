import {
  type CommandResult,
  nextDue,
  takeCandle,
  takeHistory,
  takeQuote,
  takeTimer,
  takeUnlisted,
} from '../bot/bot.ts';
import type { MarketEvent } from '../bot/event.ts';
import { newPair } from '../bot/state.ts';
import { takeSuspension } from '../bot/suspension.ts';
import { onVolumeUpdate } from '../bot/volume.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Quote } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import { defaultOptions } from '../options/table.ts';
import { armedPeak } from '../simulate/armedPeak.ts';
import { alignCandles, drawAgain, wakeBot } from '../simulate/botSession.ts';
import { commandOnce } from '../simulate/commandOnce.ts';
import { sampleDrawdown } from '../simulate/drawdown.ts';
import { filled } from '../simulate/filled.ts';
import type { Note } from '../simulate/journal.ts';
import { reviveNaN } from '../simulate/reviveNaN.ts';
import { SessionTooNew, SUMS_IN_UNITS, upgradeStrategies } from '../simulate/upgradeState.ts';
import { strategyOf } from '../strategies/catalogue.ts';
import type { Params } from '../strategies/strategy.ts';
import { applyPause, endPauseWhenOver } from './exchangePause.ts';
import { applyKeyState } from './keyState.ts';
import { createLiveState, LIVE_VERSION, type LiveState } from './liveState.ts';
import { lookAtAccount, tellFree } from './lookAtAccount.ts';
import type { ExchangeNews, LiveRequest } from './news.ts';
import {
  askDue,
  askForAll,
  nextAsk,
  sendEffects,
  takeAbsence,
  takeFill,
  takeRefusal,
  takeReport,
  takeSilence,
  takeSilent,
  trackedOf,
} from './orderLife.ts';
import { noteOutside } from './outside.ts';
import { nextStop, stopRefused } from './stopWatch.ts';
import { tendStops } from './tendStops.ts';
import type { LiveSession, Turn } from './turn.ts';

export interface LiveConfig {
  /** Six characters; client order ids begin with it. */
  id: string;
  /** Validated. */
  options: BotOptions;
  params: Params;
  /** Its share of the account; null for all of it. */
  allotment: Quote | null;
}

export interface LiveOutput {
  /** What happened, in order. */
  notes: Note[];
  /** Money, orders or state changed: save the session in the transaction of the notes before anything else. */
  durable: boolean;
  /** Answer of a manual order. */
  result: CommandResult | null;
  /** To be sent once the session is saved, in this order; none may be sent twice. */
  requests: LiveRequest[];
}

/** A session that has not started. */
export function createLiveSession({ id, options, params, allotment }: LiveConfig): LiveSession {
  return wake(createLiveState(id, options, params, allotment));
}

/**
 * Continues a saved session. What was on its way when it was saved is asked for when it hears that it has `resumed`.
 *
 * @param saved as JSON gave it
 * @throws SessionTooNew when a newer version of this program saved it
 */
export function restoreLive(saved: LiveState): LiveSession {
  if (saved.version > LIVE_VERSION) throw new SessionTooNew(saved.version);
  for (const pair of saved.bot.pairs) pair.strategyState = reviveNaN(pair.strategyState);
  const { id, options, params } = saved.bot;
  const fresh = createLiveState(id, { ...defaultOptions(), ...options }, params, saved.allotment);
  // Pairs that are watched no more may still be there.
  const chosen = strategyOf(fresh.bot.options.strategy, fresh.bot.params);
  fresh.bot.pairs = saved.bot.pairs.map(({ pair }) => newPair(pair, 'loading', chosen));
  if (saved.version < SUMS_IN_UNITS) upgradeStrategies(fresh.bot.pairs, saved.bot.pairs);
  return wake({ ...filled(fresh, saved), ...ofOlderVersion(saved), version: LIVE_VERSION });
}

/** Fields that a session saved before they existed has other values for than a new one. */
function ofOlderVersion({ bot, missing, peakTransfers }: Partial<LiveState>): Partial<LiveState> {
  const { quote = 0, transfers = 0 } = bot?.wallet ?? {};
  return {
    // One bot was charged with everything that left an account, even below 0.
    ...(missing === undefined ? { missing: quote < 0 ? Math.max(0, -transfers) : 0 } : {}),
    ...(peakTransfers === undefined ? { peakTransfers: transfers } : {}),
  };
}

function wake(state: LiveState): LiveSession {
  return { state, ...wakeBot(state.bot), synced: false, ended: new Map() };
}

/**
 * Feeds one event. Everything due before it happens first, at its own time; then the event; then all that follows.
 * Events must come in order of `at`; an older one is taken as happening now.
 */
export function feedLive(session: LiveSession, event: MarketEvent | ExchangeNews): LiveOutput {
  // What the exchange told at the moment of a timer is known to the timer.
  const timersBy = NEWS.has(event.type) ? event.at - 1 : event.at;
  return inTurn(session, event.at, timersBy, (turn) => take(turn, event));
}

/** When a `timer` event should be fed; null for never. */
export function nextLiveWake({ state, bot, synced }: LiveSession): number | null {
  const wakes = [
    state.bot.pause?.until ?? nextAsk(state.orders),
    ...(synced ? [nextDue(bot), nextStop(state.stops)] : []),
  ];
  const next = Math.min(...wakes.filter((at) => at > 0));
  return Number.isFinite(next) ? next : null;
}

const NEWS: ReadonlySet<string> = new Set<ExchangeNews['type']>([
  'resumed',
  'taken',
  'refused',
  'unanswered',
  'reported',
  'found',
  'absent',
  'traded',
  'free',
  'key',
  'paused',
  'account',
]);

function inTurn(
  session: LiveSession,
  given: number,
  timersBy: number,
  handle: (turn: Turn) => CommandResult | null,
): LiveOutput {
  const { state, bot, notes } = session;
  const at = Math.max(given, state.now);
  notes.length = 0;
  const requests: LiveRequest[] = [];
  let durable = false;
  const turnAt = (now: number): Turn => {
    state.now = now;
    return { session, at: now, effects: [], requests, durable: false };
  };
  // Timers of the bot, each at its own time.
  for (let due = nextDue(bot); session.synced && due > 0 && due <= timersBy; due = nextDue(bot)) {
    const turn = turnAt(Math.max(due, state.now));
    takeTimer(bot, turn.at, turn.effects);
    sendEffects(turn);
    tendStops(turn);
    sendEffects(turn);
    durable ||= turn.durable;
  }
  const turn = turnAt(at);
  endPauseWhenOver(turn);
  const result = handle(turn);
  sendEffects(turn);
  if (session.synced) {
    tendStops(turn);
    sendEffects(turn);
  }
  const asked = requests.length;
  if (state.bot.pause === undefined) askDue(turn);
  sampleDrawdown(bot, state);
  return {
    notes: [...notes],
    // Questions change nothing that must survive.
    durable: durable || turn.durable || asked > 0 || notes.some(({ kind }) => kind !== 'signal' && kind !== 'refusal'),
    result,
    requests,
  };
}

function take(turn: Turn, event: MarketEvent | ExchangeNews): CommandResult | null {
  const { session, at, effects } = turn;
  const { bot, state, synced } = session;
  const indexOf = (name: string) => state.bot.pairs.findIndex(({ pair }) => pair === name);
  switch (event.type) {
    case 'history': {
      const index = indexOf(event.market.pair);
      drawAgain(session, index, event.candles);
      takeHistory(bot, index, event.market, event.candles, at);
      turn.durable = true;
      return null;
    }
    case 'unlisted':
      takeUnlisted(bot, indexOf(event.pair), at);
      turn.durable = true;
      return null;
    case 'candle': {
      const index = indexOf(event.pair);
      const market = state.bot.pairs[index]?.market;
      // Before the first look at the account it is history: nothing is decided on it.
      if (!synced && market) takeHistory(bot, index, market, [event.candle], at);
      else takeCandle(bot, index, event.candle, at, effects);
      return null;
    }
    case 'quote': {
      if (!synced) return null;
      const index = indexOf(event.pair);
      const armed = armedPeak(bot, index);
      takeQuote(bot, index, event, effects);
      // The callback depends on it: a restart must not forget a new peak.
      if (armedPeak(bot, index) !== armed) turn.durable = true;
      return null;
    }
    case 'ticker':
      onVolumeUpdate(bot, indexOf(event.pair), event.volume24h, at);
      takeSuspension(bot, indexOf(event.pair), event.suspended, at, effects);
      return null;
    case 'command': {
      turn.durable = true;
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
    // Our own fills are told by the account; funding is read from it.
    case 'trade':
    case 'funding':
    case 'timer':
      return null;
    default:
      hear(turn, event);
      return null;
  }
}

/**
 * Another currency than before: how much there is of it, the next look at the account says.
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

function hear(turn: Turn, news: ExchangeNews): void {
  switch (news.type) {
    case 'resumed':
      turn.session.synced = false;
      askForAll(turn);
      break;
    case 'taken':
      for (const fill of news.fills) takeFill(turn, fill);
      if (news.report === null) takeSilent(turn, news.clientOrderId);
      else takeReport(turn, news.report, false);
      break;
    case 'refused':
      hearRefusal(turn, news);
      break;
    case 'unanswered':
      takeSilence(turn, news.clientOrderId);
      break;
    case 'reported':
      takeReport(turn, news.report, false);
      break;
    case 'found':
      takeReport(turn, news.report, true);
      break;
    case 'absent':
      takeAbsence(turn, news.clientOrderId, news.askedAt);
      break;
    case 'traded':
      for (const fill of news.fills) takeFill(turn, fill);
      break;
    case 'free':
      tellFree(turn, news.free);
      break;
    case 'key':
      applyKeyState(turn, news.state);
      break;
    case 'paused':
      applyPause(turn, news.until, news.banned);
      break;
    case 'account':
      lookAtAccount(turn, news.account);
  }
}

function hearRefusal(turn: Turn, { clientOrderId, how, why }: Extract<ExchangeNews, { type: 'refused' }>): void {
  const { pairs } = turn.session.state.bot;
  const order = trackedOf(turn, clientOrderId);
  const protects = order?.trigger !== undefined;
  const pair = pairs.find(({ pair: name }) => name === order?.pair);
  // While the key is refused, that is the cause, and recorded.
  const known = turn.session.state.bot.barred === 'key_refused';
  if ((how === 'rejected' || protects) && !known)
    noteOutside(turn, order?.pair ?? null, { what: 'order_refused', clientOrderId, why });
  const taken = takeRefusal(turn, clientOrderId, how);
  if (taken && protects && pair !== undefined) stopRefused(turn, pair);
}
