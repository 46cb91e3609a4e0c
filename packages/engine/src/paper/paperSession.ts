import type { CommandResult } from '../bot/commandResult.ts';
import { handle } from '../bot/handle.ts';
import { nextDue } from '../bot/onTimer.ts';
import { coverShortfall } from '../ledger/liquidation.ts';
import type { Price } from '../money/units.ts';
import type { BotOptions } from '../options/table.ts';
import { alignCandles, type BotSession, rebuildCandleLog, restoreBot } from '../session/botSession.ts';
import { commandOnce } from '../session/commandOnce.ts';
import { sampleDrawdown } from '../session/drawdown.ts';
import { handleAndDetectMove } from '../session/followedPrice.ts';
import type { Note } from '../session/journal.ts';
import type { Bot } from '../state/bot.ts';
import type { Effect, MarketEvent, OrderEvent } from '../state/botEvents.ts';
import { isTrading } from '../state/botStatus.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import { clientOrderId } from '../state/parentOrder.ts';
import { turnOf } from '../state/turn.ts';
import type { Params } from '../strategies/strategy.ts';
import { auditPaper, ownPrice } from './paperAudit.ts';
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
import { liquidateIfDue } from './simulatedLiquidation.ts';
import { upgradePaperState } from './upgradePaperState.ts';

/**
 * A bot and its simulated exchange as one deterministic machine: the same events give the same notes and the same state, also after
 * a restart and in a replay. It has no clock and cannot sign.
 */
export interface PaperSession extends BotSession {
  readonly state: PaperState;
}

export interface PaperConfig {
  /** Six characters; client order ids begin with it. */
  id: string;
  /** Validated. */
  options: BotOptions;
  params: Params;
}

export interface SessionOutput {
  /** Journal notes of the event, in order. */
  notes: Note[];
  /** Money, orders or state changed: save the session in the transaction of the notes before anything is published. */
  durable: boolean;
  /** Result of a command. */
  result: CommandResult | null;
}

/** Creates a session that has not started. */
export function createPaperSession(config: PaperConfig): PaperSession {
  return deriveSession(createPaperState(config.id, config.options, config.params));
}

/** Returns the text from which {@link restoreSession} continues exactly. */
export function saveSession(session: BotSession): string {
  return JSON.stringify(session.state);
}

/**
 * Continues a saved session, also one of an older version.
 *
 * @throws SyntaxError when the text is no JSON, SessionTooNew when a newer version of this program saved it
 */
export function restoreSession(text: string): PaperSession {
  return deriveSession(upgradePaperState(JSON.parse(text)));
}

function deriveSession(state: PaperState): PaperSession {
  return { state, ...restoreBot(state.bot) };
}

/**
 * Feeds one event. Arrivals and timers that are due before it run first, each at its own time; then the event; then its
 * consequences. Events must come in order of `at`; an older one counts as happening now.
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
    for (const orderEvent of events) handle(bot, orderEvent, effects);
    send(at);
  };
  const send = (at: number) => {
    if (effects.length > 0) durable = true;
    for (const { type, pair, parent, order } of effects) {
      const name = clientOrderId(state.bot.id, parent, order);
      if (type === 'cancel') {
        sendCancel(state.exchange, name, at);
        continue;
      }
      const { price, quantity } = order;
      const limit = parent.limit !== undefined && { atLimit: true as const };
      const request = {
        clientOrderId: name,
        pair: pair.pair,
        side: parent.side,
        order: order.type,
        price,
        quantity,
        ...limit,
      };
      sendOrder(state.exchange, request, at);
    }
    effects.length = 0;
  };
  /** Runs arrivals and timers up to `at`, in order of time. */
  const advance = (at: number) => {
    for (;;) {
      const arrival = nextArrival(state.exchange);
      const due = nextDue(bot);
      const next = arrival > 0 && (due === 0 || arrival <= due) ? arrival : due;
      if (next === 0 || next > at) return;
      if (next === arrival) {
        settle(arrive(state.exchange, rules, next), next);
      } else {
        // Trailing exits depend on the best price, which must survive a restart.
        if (handleAndDetectMove(bot, { type: 'timer', at: next }, effects)) durable = true;
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
      rebuildCandleLog(session, index, event.candles);
      handle(bot, event, effects);
      durable = true;
      break;
    case 'unlisted':
      handle(bot, event, effects);
      durable = true;
      break;
    case 'candle':
      handle(bot, event, effects);
      break;
    case 'quote': {
      liquidate(session, index, event, effects);
      settle(paperQuote(state.exchange, rules, event.pair, event), event.at);
      if (handleAndDetectMove(bot, event, effects)) durable = true;
      break;
    }
    case 'funding':
      handle(bot, event, effects);
      durable = true;
      break;
    case 'trade':
      settle(paperTrade(state.exchange, rules, event), event.at);
      break;
    case 'ticker':
      handle(bot, event, effects);
      checkPrice(session, index, event);
      break;
    case 'command': {
      const { pairs, wallet } = state.bot;
      result = commandOnce(bot, state.answers, event.command, event.at, effects);
      if (state.bot.pairs !== pairs) alignCandles(session, pairs);
      if (state.bot.wallet !== wallet) beginEpoch(state);
      durable = true;
      break;
    }
    case 'timer':
      break;
  }
  send(event.at);
  if (state.bot.wallet.quote < 0) coverShortfall(state.bot.wallet);
  sampleDrawdown(bot, state);
  const auditAt = auditDue(session);
  if (auditAt > 0 && auditAt <= event.at) audit(session, event.at);
  return {
    notes: [...notes],
    durable: durable || notes.some(({ kind }) => kind !== 'signal' && kind !== 'refusal'),
    result,
  };
}

/** Returns when the account is audited next; 0 for never. @see docs/paper.md#audit */
function auditDue({ bot, state }: PaperSession): number {
  if (!isTrading(bot)) return 0;
  return state.audit.at + bot.state.options.sync_trade_time;
}

/** Raises an alarm for each new fault of the account. */
function audit({ bot, state }: PaperSession, at: number): void {
  const first = state.audit.at === 0;
  const faults = first ? [] : auditPaper(bot, state.exchange, state.audit.prices, state.audit.at);
  const before = new Set(state.audit.wrong);
  state.audit.at = at;
  state.audit.wrong = faults.map(({ check, pair }) => (pair === null ? check : `${check} ${pair}`));
  faults.forEach(({ check, pair, expected, found }, index) => {
    if (before.has(state.audit.wrong[index] as string)) return;
    const of = bot.state.pairs.find((candidate) => candidate.pair === pair) ?? null;
    bot.observer.alarm(at, of, 'audit_failed', { check, expected, found });
  });
}

/** Stores the price of the venue's ticker and the price that the bot uses now. */
function checkPrice({ bot, state }: PaperSession, index: number, { at, last }: { at: number; last: Price }): void {
  const pair = bot.state.pairs[index];
  if (pair !== undefined && last > 0) state.audit.prices[pair.pair] = { at, venue: last, own: ownPrice(pair.quote) };
}

/** Resets exchange and drawdown after a new account has started. @see docs/paper.md#start-capital */
function beginEpoch(state: PaperState): void {
  state.exchange.markets = {};
  state.peakEquity = state.bot.wallet.start;
  state.maxDrawdown = 0;
}

/** Liquidates positions before the bot evaluates its tables. @see docs/margin.md#liquidation */
function liquidate({ bot, state }: PaperSession, index: number, quote: PairQuote, effects: Effect[]): void {
  const pair = state.bot.pairs[index];
  if (!bot.rules.future || pair === undefined || pair.position === null) return;
  pair.mark = quote.mark || quote.last || quote.bid || pair.mark;
  for (const { pair: name } of liquidateIfDue(turnOf({ bot, at: quote.at, effects }, pair)))
    dropOrders(state.exchange, name);
}

/** Returns when a `timer` event is due; null for never. */
export function nextTimer(session: PaperSession): number | null {
  const arrival = nextArrival(session.state.exchange);
  const due = nextDue(session.bot);
  const dueTimes = [arrival, due, auditDue(session)].filter((at) => at > 0);
  return dueTimes.length === 0 ? null : Math.min(...dueTimes);
}

function pairIndex(bot: Bot, name: string): number {
  return bot.state.pairs.findIndex(({ pair }) => pair === name);
}
