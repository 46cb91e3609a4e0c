import { accountOf } from '../bot/accountOf.ts';
import { takeAdjust } from '../bot/adjust.ts';
import { takeIncome } from '../bot/income.ts';
import type { PairState } from '../bot/state.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Market } from '../market/market.ts';
import { exact, formatUnits, mulDiv, type Price, powerOfTen, type Quote } from '../money/units.ts';
import type { Intent, LiveOrder } from '../orders/intent.ts';
import { owedToAllotted } from '../reconcile/cashClaims.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Action, OurIntent, OurView, TheirOrder, TheirPair, TheirView } from '../reconcile/view.ts';
import type { AccountSnapshot, LiveRequest, PairOnAccount } from './news.ts';
import { isAfterCursor, takeFill, takeReport, takeSilence, trackedOf } from './orderLife.ts';
import { noteOutside } from './outside.ts';
import { incomeKey, ownIncomes } from './ownIncomes.ts';
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';
import type { Turn } from './turn.ts';

/**
 * Compares the bot with its account: at the start, every `sync_trade_time`, and whenever something may have been missed.
 *
 * @see docs/accounting.md#reconciliation
 */
export function lookAtAccount(turn: Turn, read: AccountSnapshot): void {
  const { session } = turn;
  const { state } = session;
  const seen = { ...read, fills: read.fills.filter((fill) => isAfterCursor(turn, fill)) };
  openOnce(turn, seen);
  for (const order of seen.openOrders) takeReport(turn, order, false);
  const behind = bookedSince(turn, seen);
  const settled = seen.settled && !behind;
  // What was held at the time of a payment is worked out from the fills that the snapshot tells: it must have them all.
  const incomes = behind ? [] : ownIncomes(turn, seen);
  const theirs = { ...theirView(turn, seen, settled), incomes };
  const { actions, memory } = reconcile(ourView(turn), theirs, state.memory);
  for (const action of actions) carryOut(turn, action, seen);
  // What could not be compared now is remembered as it was.
  if (settled) state.memory = memory;
  tellFree(turn, seen.free);
  session.synced = true;
  // What was held when an income came must be told with it next time.
  if (behind) return;
  for (const [pair, cursor] of Object.entries(seen.cursors)) {
    // Fills of a pair that is not known yet could not be booked: they are told again.
    if (!state.bot.pairs.some((own) => own.pair === pair && own.market !== null)) continue;
    if (state.orders.some((order) => order.pair === pair && mayHaveUntold(order))) continue;
    forget(turn, pair, cursor.at, seen);
    state.cursors[pair] = cursor;
  }
  for (const income of seen.incomes) if (income.at < seen.incomesSince) delete state.applied[incomeKey(income)];
  state.incomesSince = Math.max(state.incomesSince, seen.incomesSince);
}

/** Free amount of the currency, from a look at the account or told by its stream. @see docs/accounting.md#cash-for-entries */
export function tellFree(turn: Turn, free: Quote): void {
  const { state, bot } = turn.session;
  // Of futures the margin counts, which the bot's own books tell.
  if (bot.rules.future) return;
  let held = 0;
  for (const order of state.orders) {
    if (!order.known || order.end !== null || order.side !== 'buy' || order.trigger !== undefined) continue;
    const market = state.bot.pairs.find(({ pair }) => pair === order.pair)?.market;
    if (market) held += mulDiv(order.quantity - order.reported, order.price, powerOfTen(market.assetDecimals));
  }
  state.bot.spendable = exact(free + held);
}

/** The first look tells how much there is to trade with. @see docs/accounting.md#cash-for-entries */
function openOnce(turn: Turn, { cash, otherBots }: AccountSnapshot): void {
  const { state } = turn.session;
  if (state.opened) return;
  const others = otherBots.reduce((sum, { cash: theirs }) => sum + theirs, owedToAllotted(otherBots));
  const left = Math.max(0, exact(cash - others));
  state.opened = true;
  state.missing = 0;
  state.peakTransfers = 0;
  state.bot.wallet = openWallet(state.allotment === null ? left : Math.min(left, state.allotment));
  state.peakEquity = state.bot.wallet.start;
  noteOutside(turn, null, { what: 'capital', amount: formatUnits(state.bot.wallet.start) });
}

/** Fills were booked that the snapshot does not have: it is older than what we know. */
function bookedSince({ session }: Turn, { fills, incomes, cursors }: AccountSnapshot): boolean {
  const told = new Set([...fills.map(({ pair, id }) => `fill/${pair}/${id}`), ...incomes.map(incomeKey)]);
  return Object.keys(session.state.applied).some((key) => {
    const [type, pair] = key.split('/') as [string, string];
    return (type !== 'fill' || cursors[pair] !== undefined) && !told.has(key);
  });
}

function ourView({ session }: Turn): OurView {
  const { state, bot } = session;
  const intents: OurIntent[] = [];
  const marks: Record<string, Price> = {};
  const brackets: Record<string, readonly Bracket[]> = {};
  for (const pair of state.bot.pairs) {
    marks[pair.pair] = pair.mark;
    brackets[pair.pair] = pair.brackets;
    for (const intent of workingIntents(pair)) {
      const orders = state.orders
        .filter(({ clientOrderId: name, end }) => end === null && name.startsWith(`${state.bot.id}-${intent.id}-`))
        .map((order) => ({ clientOrderId: order.clientOrderId, sentAt: order.decidedAt }));
      intents.push({ id: `${intent.id}`, pair: pair.pair, ladder: intent.rung !== '', orders });
    }
  }
  const account = accountOf(bot, state.applied);
  const claim = { id: state.bot.id, missing: state.missing, allotted: state.allotment !== null, running: true };
  return { account, claim, heldSince: state.heldSince, prefix: `${state.bot.id}-`, intents, marks, brackets };
}

function workingIntents({ entry, exit, stop, rungs }: PairState): Intent[] {
  return [entry, exit, stop, ...rungs].filter((intent) => intent !== null);
}

function theirView(turn: Turn, seen: AccountSnapshot, settled: boolean): Omit<TheirView, 'incomes'> {
  const { state } = turn.session;
  const { bot } = state;
  const known = seen.pairs.filter(({ pair }) => bot.pairs.some((own) => own.pair === pair && own.market !== null));
  const after = seen.fills.filter(({ pair }) => known.some((one) => one.pair === pair));
  return {
    askedAt: seen.askedAt,
    cash: settled && known.length === seen.pairs.length ? seen.cash : null,
    otherBots: seen.otherBots,
    fills: after,
    openOrders: seen.openOrders.map((order) => theirOrder(order, marketOf(known, order.pair))),
    pairs: settled ? known.map((pair) => theirPair(turn, pair)) : [],
  };
}

function theirPair({ session }: Turn, { others, otherSide, ...told }: PairOnAccount): TheirPair {
  const holding = session.state.bot.pairs.find((own) => own.pair === told.pair)?.holding;
  // In hedge mode a short takes nothing off a long: what we hold is compared with its own side.
  const onOtherSide = otherSide !== undefined && holding !== undefined && holding.quantity > 0;
  const pair = onOtherSide && Math.sign(otherSide.quantity) === holding.side ? { ...told, ...otherSide } : told;
  // Of futures there is one position, whoever made it: what is not ours is foreign.
  const quantity = session.bot.rules.future ? pair.quantity : exact(pair.quantity - others);
  // How a contract is set up that nothing is held of, the next entry decides.
  if (holding === undefined || holding.quantity > 0) return { ...pair, quantity };
  return { ...pair, quantity, leverage: holding.leverage, isolated: holding.isolated };
}

function marketOf(pairs: readonly PairOnAccount[], name: string): Market | undefined {
  return pairs.find(({ pair }) => pair === name)?.market;
}

function theirOrder(order: AccountSnapshot['openOrders'][number], market: Market | undefined): TheirOrder {
  const { clientOrderId: name, pair, side, exit } = order;
  const rest = order.quantity - order.filled;
  const value = market === undefined ? 0 : mulDiv(rest, order.price, powerOfTen(market.assetDecimals));
  return { clientOrderId: name, pair, side, exit, value };
}

function carryOut(turn: Turn, action: Action, seen: AccountSnapshot): void {
  const { state, bot } = turn.session;
  switch (action.type) {
    case 'book':
      book(turn, action.event, seen);
      break;
    case 'adopt':
      adopt(turn, action.intent, action.order, seen);
      break;
    case 'cancel':
      // It was open when the snapshot was asked for and has ended since.
      if ((turn.session.ended.get(action.clientOrderId) ?? 0) >= seen.askedAt) break;
      noteOutside(turn, action.pair, { what: 'unknown_order', clientOrderId: action.clientOrderId });
      turn.requests.push(cancelOf(action, seen));
      break;
    case 'query':
      // One that the snapshot may be too old for is asked for all the same: the answer harms nothing.
      takeSilence(turn, action.clientOrderId);
      break;
    case 'foreign': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      const decimals = pair?.market?.assetDecimals;
      noteOutside(turn, action.pair, { what: 'foreign', surplus: formatUnits(action.surplus, decimals) });
      if (pair !== undefined && action.stopsEntries) pair.paused = 'external';
      break;
    }
    case 'settings': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      if (pair === undefined) break;
      const first = pair.brackets.length === 0;
      pair.market = action.market;
      pair.brackets = action.brackets;
      if (bot.rules.future && !first) noteOutside(turn, action.pair, { what: 'settings' });
    }
  }
}

function cancelOf(
  { pair, clientOrderId }: { pair: string; clientOrderId: string },
  seen: AccountSnapshot,
): LiveRequest {
  const order = seen.openOrders.find(({ clientOrderId: name }) => name === clientOrderId);
  const stop = order?.type === 'stop_market' || order?.type === 'stop_limit';
  return { type: 'cancel', pair, clientOrderId, kind: stop ? 'stop' : 'plain' };
}

function book(turn: Turn, event: LedgerEvent, seen: AccountSnapshot): void {
  const { bot, state } = turn.session;
  const pair = 'pair' in event ? state.bot.pairs.find((candidate) => candidate.pair === event.pair) : undefined;
  switch (event.type) {
    case 'fill': {
      const fill = seen.fills.find(({ pair: name, id }) => name === event.pair && id === event.id);
      if (fill !== undefined) takeFill(turn, fill);
      break;
    }
    case 'adjust':
      // What a late fill needs back, it takes itself.
      if (pair === undefined || event.why === 'late_fill') break;
      noteOutside(turn, event.pair, {
        what: 'adjust',
        quantity: formatUnits(event.quantityDelta, pair.market?.assetDecimals),
        price: formatUnits(event.price),
      });
      takeAdjust(bot, pair, { ...event, at: turn.at });
      if (pair.holding.quantity === 0) state.flatSince[event.pair] = seen.askedAt;
      break;
    case 'transfer':
      state.missing = Math.max(0, exact(state.missing - event.amount));
      noteOutside(turn, null, {
        what: 'transfer',
        asset: event.asset,
        amount: formatUnits(event.amount),
        source: event.source,
        missing: formatUnits(state.missing),
      });
      applyLedgerEvent(accountOf(bot, {}), event);
      break;
    case 'leverage':
      noteOutside(turn, event.pair, { what: 'leverage', leverage: event.leverage, isolated: event.isolated });
      applyLedgerEvent(accountOf(bot, {}), event);
      break;
    case 'funding':
    case 'clearance':
      if (pair === undefined) break;
      turn.durable = true;
      state.applied[`${event.type}/${event.pair}/${event.id}`] = true;
      takeIncome(bot, pair, event.type, event.amount, turn.at);
      break;
    default:
      turn.durable = true;
      applyLedgerEvent(accountOf(bot, {}), event);
  }
}

/** An order that we should know and do not: it belongs to an intent that is at work. */
function adopt(turn: Turn, intentId: string, { clientOrderId: name }: TheirOrder, seen: AccountSnapshot): void {
  const { state } = turn.session;
  const report = seen.openOrders.find(({ clientOrderId: own }) => own === name);
  const pair = state.bot.pairs.find(({ pair: own }) => own === report?.pair);
  const intent = pair && workingIntents(pair).find(({ id }) => `${id}` === intentId);
  if (report === undefined || pair === undefined || intent === undefined || trackedOf(turn, name) !== undefined) return;
  const { side, price, quantity, exit, at } = report;
  const n = Number(name.slice(name.lastIndexOf('-') + 1));
  const type = report.type ?? 'limit_maker';
  // Stops are asked for, and cancelled, in another way than other orders.
  const wakes = report.trigger === undefined ? {} : { trigger: report.trigger };
  const order: LiveOrder = {
    n,
    type,
    price,
    ...wakes,
    quantity,
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  intent.order = order;
  intent.orders = Math.max(intent.orders, n);
  const ticket = { clientOrderId: name, pair: pair.pair, side, type, price, ...wakes, quantity, exit, decidedAt: at };
  state.orders.push(trackedOrder(ticket, 0));
  noteOutside(turn, pair.pair, { what: 'adopted', clientOrderId: name });
  takeReport(turn, report, false);
}

/**
 * Fills of it may have been told without its name: those of a stop are by the order that it has become, which is known when
 * the stop itself has been asked for.
 */
function mayHaveUntold({ trigger, askAt, fetchAt }: TrackedOrder): boolean {
  return fetchAt > 0 || (trigger !== undefined && askAt > 0);
}

/** Fills before the cursor are not told again and need not be remembered. */
function forget({ session }: Turn, pair: string, before: number, { fills }: AccountSnapshot): void {
  const { applied } = session.state;
  for (const fill of fills) if (fill.pair === pair && fill.at < before) delete applied[`fill/${pair}/${fill.id}`];
}
