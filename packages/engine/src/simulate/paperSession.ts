import type { CommandResult } from '../bot/bot.ts';
import {
  nextDue,
  takeCandle,
  takeCommand,
  takeFunding,
  takeHistory,
  takeOrder,
  takeQuote,
  takeTimer,
  takeUnlisted,
} from '../bot/bot.ts';
import type { ClosedCandle, Effect, MarketEvent, OrderEvent, PairQuote } from '../bot/event.ts';
import { type Bot, botOf } from '../bot/runtime.ts';
import { armLevel } from '../exits/levels.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import type { BotOptions } from '../options/table.ts';
import { clientOrderId } from '../orders/intent.ts';
import { equityOf } from '../report/equity.ts';
import type { Params } from '../strategies/strategy.ts';
import { type CandleLog, createCandleLog, logCandle } from './candleLog.ts';
import { journalWitness, type Note } from './journal.ts';
import { liquidateIfDue } from './liquidation.ts';
import {
  addMarket,
  arrive,
  dropOrders,
  nextArrival,
  paperQuote,
  paperTrade,
  sendCancel,
  sendOrder,
} from './paperExchange.ts';
import { createPaperState, type PaperState } from './paperState.ts';
import { upgradeState } from './upgradeState.ts';

/** A request that comes again later than this many others is no repetition any more. */
const ANSWERS_KEPT = 1_000;

/**
 * A bot and its simulated exchange as one deterministic machine: the same events give the same notes and the same state,
 * live, after a restart, and in a replay. It knows no clock and can sign nothing.
 */
export interface PaperSession {
  readonly state: PaperState;
  readonly bot: Bot;
  readonly notes: Note[];
  /** Closed candles with the strategy's values, for charts; not part of any decision and not saved. */
  readonly candles: CandleLog[];
}

export interface PaperConfig {
  /** Six characters; client order ids begin with it. */
  id: string;
  /** Validated. */
  options: BotOptions;
  params: Params;
}

export interface SessionOutput {
  /** What happened, in order. */
  notes: Note[];
  /** Money, orders or state changed: save the session in the transaction of the notes before telling anybody. */
  durable: boolean;
  /** Answer of a manual order. */
  result: CommandResult | null;
}

/** A session that has not started. */
export function createPaperSession(config: PaperConfig): PaperSession {
  return wake(createPaperState(config.id, config.options, config.params));
}

/** Text from which {@link restoreSession} continues exactly. */
export function saveSession(session: PaperSession): string {
  return JSON.stringify(session.state);
}

/**
 * Continues a saved session, also one of an older version.
 *
 * @throws SyntaxError when the text is no JSON, SessionTooNew when a newer version of this program saved it
 */
export function restoreSession(text: string): PaperSession {
  return wake(upgradeState(JSON.parse(text)));
}

function wake(state: PaperState): PaperSession {
  const notes: Note[] = [];
  const candles = state.bot.pairs.map(() => createCandleLog());
  const keep = state.bot.options.keep_lookback_periods;
  const witness = journalWitness(state.bot.id, notes, (pair, candle, signal) => {
    const log = candles[state.bot.pairs.indexOf(pair)];
    if (log) logCandle(log, candle, signal.values, keep);
  });
  return { state, bot: botOf(state.bot, witness), notes, candles };
}

/** Draws again the candles that a restored session had decided on before: same rule, seeded by what history there is. */
function redraw(session: PaperSession, index: number, candles: readonly ClosedCandle[]): void {
  const { bot } = session;
  const pair = bot.state.pairs[index];
  if (pair === undefined) return;
  const log = createCandleLog();
  session.candles[index] = log;
  const run = bot.strategy.run(bot.state.params, bot.strategy.init(bot.state.params));
  for (const candle of candles) {
    if (candle.time > pair.candleTime) return;
    const { values } = run.onCandle(candle.open, candle.high, candle.low, candle.close, candle.volume);
    logCandle(log, candle, values, bot.state.options.keep_lookback_periods);
  }
}

/**
 * Feeds one event. Everything due before it happens first, at its own time; then the event; then all that follows.
 * Events must come in order of `at`; an older one is taken as happening now.
 */
export function feedSession(session: PaperSession, given: MarketEvent): SessionOutput {
  const { state, bot, notes } = session;
  const event = given.at < state.now ? { ...given, at: state.now } : given;
  state.now = event.at;
  notes.length = 0;
  let durable = false;
  let result: CommandResult | null = null;
  const effects: Effect[] = [];
  const { rules } = bot;

  const settle = (events: readonly OrderEvent[], at: number) => {
    if (events.length > 0) durable = true;
    for (const orderEvent of events) takeOrder(bot, orderEvent, effects);
    send(at);
  };
  const send = (at: number) => {
    if (effects.length > 0) durable = true;
    for (const { type, pair, intent, order } of effects) {
      const name = clientOrderId(state.bot.id, intent, order);
      if (type === 'cancel') {
        sendCancel(state.exchange, name, at);
        continue;
      }
      const { price, quantity } = order;
      const request = { clientOrderId: name, pair: pair.pair, side: intent.side, order: order.type, price, quantity };
      sendOrder(state.exchange, request, at);
    }
    effects.length = 0;
  };
  /** Arrivals and timers up to `at`, in order of time. */
  const advance = (at: number) => {
    for (;;) {
      const arrival = nextArrival(state.exchange);
      const due = nextDue(bot);
      const next = arrival > 0 && (due === 0 || arrival <= due) ? arrival : due;
      if (next === 0 || next > at) return;
      if (next === arrival) {
        settle(arrive(state.exchange, rules, next), next);
      } else {
        takeTimer(bot, next, effects);
        send(next);
      }
    }
  };

  advance(event.at);
  const index =
    'pair' in event ? pairIndex(bot, event.pair) : event.type === 'history' ? pairIndex(bot, event.market.pair) : -1;
  switch (event.type) {
    case 'history':
      addMarket(state.exchange, event.market);
      redraw(session, index, event.candles);
      takeHistory(bot, index, event.market, event.candles, event.at);
      durable = true;
      break;
    case 'unlisted':
      takeUnlisted(bot, index, event.at);
      durable = true;
      break;
    case 'candle':
      takeCandle(bot, index, event.candle, event.at, effects);
      break;
    case 'quote': {
      liquidate(session, index, event);
      settle(paperQuote(state.exchange, rules, event.pair, event), event.at);
      const armed = armedPeak(session, index);
      takeQuote(bot, index, event, effects);
      // The callback depends on it: a restart must not forget a new peak.
      if (armedPeak(session, index) !== armed) durable = true;
      break;
    }
    case 'funding':
      takeFunding(bot, index, event.id, event.rate, event.mark, event.at);
      durable = true;
      break;
    case 'trade':
      settle(paperTrade(state.exchange, rules, event.pair, event.price, event.quantity, event.at), event.at);
      break;
    case 'command':
      result = command(session, event, effects);
      durable = true;
      break;
    case 'timer':
      break;
  }
  send(event.at);
  if (state.bot.wallet.quote < 0) coverShortfall(state.bot.wallet);
  sampleDrawdown(session);
  return {
    notes: [...notes],
    durable: durable || notes.some(({ kind }) => kind !== 'signal' && kind !== 'refusal'),
    result,
  };
}

/** The exchange looks at margins before the bot looks at its tables. @see accounting.md 3.8 */
function liquidate({ bot, state }: PaperSession, index: number, quote: PairQuote): void {
  const pair = state.bot.pairs[index];
  if (!bot.rules.future || pair === undefined || pair.position === null) return;
  pair.mark = quote.mark || quote.last || quote.bid || pair.mark;
  for (const { pair: name } of liquidateIfDue(bot, pair, quote.at)) dropOrders(state.exchange, name);
}

function command(
  session: PaperSession,
  { command: given, at }: Extract<MarketEvent, { type: 'command' }>,
  effects: Effect[],
): CommandResult {
  if (!('requestId' in given)) return takeCommand(session.bot, given, at, effects);
  const { answers } = session.state;
  if (Object.hasOwn(answers, given.requestId)) return answers[given.requestId] as CommandResult;
  const result = takeCommand(session.bot, given, at, effects);
  answers[given.requestId] = result;
  const ids = Object.keys(answers);
  if (ids.length > ANSWERS_KEPT) delete answers[ids[0] as string];
  return result;
}

/** When a `timer` event should be fed; null for never. */
export function nextWake(session: PaperSession): number | null {
  const arrival = nextArrival(session.state.exchange);
  const due = nextDue(session.bot);
  if (arrival === 0 && due === 0) return null;
  return arrival > 0 && (due === 0 || arrival < due) ? arrival : due;
}

/** Peak of an armed callback, or best price of an armed take-profit; 0 while there is none. @see options.md 6 (8) */
function armedPeak({ bot, state }: PaperSession, index: number): number {
  const pair = state.bot.pairs[index];
  if (pair?.ladder?.kind === 'dca') return pair.ladder.armed ? pair.ladder.best : 0;
  if (!pair?.position || pair.market === null || bot.rules.callback.length === 0) return 0;
  const { peak, direction } = pair.position;
  const arm = armLevel(pair.holding.entryPrice, direction, pair.holding.leverage, bot.rules.callbackStart);
  return peak > 0 && (direction === 1 ? peak >= arm : peak <= arm) ? peak : 0;
}

function pairIndex(bot: Bot, name: string): number {
  return bot.state.pairs.findIndex(({ pair }) => pair === name);
}

function sampleDrawdown(session: PaperSession): void {
  const { state } = session;
  const equity = equityOf(session.bot);
  if (equity > state.peakEquity) state.peakEquity = equity;
  else if (state.peakEquity > 0) state.maxDrawdown = Math.max(state.maxDrawdown, 1 - equity / state.peakEquity);
}
