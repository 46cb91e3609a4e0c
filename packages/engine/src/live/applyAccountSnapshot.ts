import { onAdjustment } from '../bot/adjust.ts';
import { onIncome } from '../bot/income.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Market } from '../market/market.ts';
import { exact, formatUnits, mulDiv, type Price, powerOfTen, type Quote } from '../money/units.ts';
import { owedToAllotted } from '../reconcile/cashClaims.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Action, OurParentOrder, OurView, TheirOrder, TheirPair, TheirView } from '../reconcile/view.ts';
import { accountOf } from '../state/accountOf.ts';
import type { PairState } from '../state/botState.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot, LiveRequest, PairOnAccount } from './executionEvent.ts';
import { recordExternalChange } from './externalChange.ts';
import { findTrackedOrder, isAfterCursor, onFill, onOrderReport, onOutcomeUnknown } from './orderLife.ts';
import { incomeKey, ownIncomes } from './ownIncomes.ts';
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';

/**
 * Compares the bot with its account: at the start, every `sync_trade_time`, and whenever something may have been missed.
 *
 * @see docs/accounting.md#reconciliation
 */
export function applyAccountSnapshot(context: EventContext, given: AccountSnapshot): void {
  const { session } = context;
  const { state } = session;
  const snapshot = { ...given, fills: given.fills.filter((fill) => isAfterCursor(context, fill)) };
  openOnce(context, snapshot);
  for (const order of snapshot.openOrders) onOrderReport(context, order, false);
  const behind = isOlderThanFills(context, snapshot);
  const settled = snapshot.settled && !behind;
  // What was held at the time of a payment is worked out from the fills that the snapshot tells: it must have them all.
  const incomes = behind ? [] : ownIncomes(context, snapshot);
  const theirs = { ...theirView(context, snapshot, settled), incomes };
  const { actions, memory } = reconcile(ourView(context), theirs, state.memory);
  for (const action of actions) applyAction(context, action, snapshot);
  // What could not be compared now is remembered as it was.
  if (settled) state.memory = memory;
  onFreeBalance(context, snapshot.free);
  session.synced = true;
  // What was held when an income came must be told with it next time.
  if (behind) return;
  for (const [pair, cursor] of Object.entries(snapshot.cursors)) {
    // Fills of a pair that is not known yet could not be booked: they are told again.
    if (!state.bot.pairs.some((own) => own.pair === pair && own.market !== null)) continue;
    if (state.orders.some((order) => order.pair === pair && mayHaveUnreportedFills(order))) continue;
    forget(context, pair, cursor.at, snapshot);
    state.cursors[pair] = cursor;
  }
  for (const income of snapshot.incomes) if (income.at < snapshot.incomesSince) delete state.applied[incomeKey(income)];
  state.incomesSince = Math.max(state.incomesSince, snapshot.incomesSince);
}

/** Free amount of the currency, from a look at the account or told by its stream. @see docs/accounting.md#cash-for-entries */
export function onFreeBalance(context: EventContext, free: Quote): void {
  const { state, bot } = context.session;
  // Of futures the margin counts, which the bot's own books tell.
  if (bot.rules.future) return;
  let reserved = 0;
  for (const order of state.orders) {
    if (!order.known || order.end !== null || order.side !== 'buy' || order.trigger !== undefined) continue;
    const market = state.bot.pairs.find(({ pair }) => pair === order.pair)?.market;
    if (market) reserved += mulDiv(order.quantity - order.reported, order.price, powerOfTen(market.assetDecimals));
  }
  state.bot.spendable = exact(free + reserved);
}

/** The first look tells how much there is to trade with. @see docs/accounting.md#cash-for-entries */
function openOnce(context: EventContext, { cash, otherBots }: AccountSnapshot): void {
  const { state } = context.session;
  if (state.opened) return;
  const others = otherBots.reduce((sum, { cash: theirs }) => sum + theirs, owedToAllotted(otherBots));
  const left = Math.max(0, exact(cash - others));
  state.opened = true;
  state.missing = 0;
  state.peakTransfers = 0;
  state.bot.wallet = openWallet(state.allotment === null ? left : Math.min(left, state.allotment));
  state.peakEquity = state.bot.wallet.start;
  recordExternalChange(context, null, { what: 'capital', amount: formatUnits(state.bot.wallet.start) });
}

/** Fills were booked that the snapshot does not have: it is older than what we know. */
function isOlderThanFills({ session }: EventContext, { fills, incomes, cursors }: AccountSnapshot): boolean {
  const reported = new Set([...fills.map(({ pair, id }) => `fill/${pair}/${id}`), ...incomes.map(incomeKey)]);
  return Object.keys(session.state.applied).some((key) => {
    const [type, pair] = key.split('/') as [string, string];
    return (type !== 'fill' || cursors[pair] !== undefined) && !reported.has(key);
  });
}

function ourView({ session }: EventContext): OurView {
  const { state, bot } = session;
  const parents: OurParentOrder[] = [];
  const marks: Record<string, Price> = {};
  const brackets: Record<string, readonly Bracket[]> = {};
  for (const pair of state.bot.pairs) {
    marks[pair.pair] = pair.mark;
    brackets[pair.pair] = pair.brackets;
    for (const parent of workingParents(pair)) {
      const orders = state.orders
        .filter(({ clientOrderId: name, end }) => end === null && name.startsWith(`${state.bot.id}-${parent.id}-`))
        .map((order) => ({ clientOrderId: order.clientOrderId, sentAt: order.decidedAt }));
      parents.push({ id: `${parent.id}`, pair: pair.pair, ladder: parent.rung !== '', orders });
    }
  }
  const account = accountOf(bot, state.applied);
  const claim = { id: state.bot.id, missing: state.missing, allotted: state.allotment !== null, running: true };
  return { account, claim, heldSince: state.heldSince, prefix: `${state.bot.id}-`, intents: parents, marks, brackets };
}

function workingParents({ entry, exit, stop, rungs }: PairState): ParentOrder[] {
  return [entry, exit, stop, ...rungs].filter((parent) => parent !== null);
}

function theirView(context: EventContext, snapshot: AccountSnapshot, settled: boolean): Omit<TheirView, 'incomes'> {
  const { state } = context.session;
  const { bot } = state;
  const known = snapshot.pairs.filter(({ pair }) => bot.pairs.some((own) => own.pair === pair && own.market !== null));
  const after = snapshot.fills.filter(({ pair }) => known.some((one) => one.pair === pair));
  return {
    askedAt: snapshot.askedAt,
    cash: settled && known.length === snapshot.pairs.length ? snapshot.cash : null,
    otherBots: snapshot.otherBots,
    fills: after,
    openOrders: snapshot.openOrders.map((order) => theirOrder(order, marketOf(known, order.pair))),
    pairs: settled ? known.map((pair) => theirPair(context, pair)) : [],
  };
}

function theirPair({ session }: EventContext, { others, otherSide, ...reported }: PairOnAccount): TheirPair {
  const holding = session.state.bot.pairs.find((own) => own.pair === reported.pair)?.holding;
  // In hedge mode a short takes nothing off a long: what we hold is compared with its own side.
  const onOtherSide = otherSide !== undefined && holding !== undefined && holding.quantity > 0;
  const pair = onOtherSide && Math.sign(otherSide.quantity) === holding.side ? { ...reported, ...otherSide } : reported;
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

function applyAction(context: EventContext, action: Action, snapshot: AccountSnapshot): void {
  const { state, bot } = context.session;
  switch (action.type) {
    case 'book':
      applyEvent(context, action.event, snapshot);
      break;
    case 'adopt':
      adopt(context, action.intent, action.order, snapshot);
      break;
    case 'cancel':
      // It was open when the snapshot was asked for and has ended since.
      if ((context.session.ended.get(action.clientOrderId) ?? 0) >= snapshot.askedAt) break;
      recordExternalChange(context, action.pair, { what: 'unknown_order', clientOrderId: action.clientOrderId });
      context.requests.push(cancelOf(action, snapshot));
      break;
    case 'query':
      // One that the snapshot may be too old for is asked for all the same: the answer harms nothing.
      onOutcomeUnknown(context, action.clientOrderId);
      break;
    case 'foreign': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      const decimals = pair?.market?.assetDecimals;
      recordExternalChange(context, action.pair, { what: 'foreign', surplus: formatUnits(action.surplus, decimals) });
      if (pair !== undefined && action.stopsEntries) pair.paused = 'external';
      break;
    }
    case 'settings': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      if (pair === undefined) break;
      const first = pair.brackets.length === 0;
      pair.market = action.market;
      pair.brackets = action.brackets;
      if (bot.rules.future && !first) recordExternalChange(context, action.pair, { what: 'settings' });
    }
  }
}

function cancelOf(
  { pair, clientOrderId }: { pair: string; clientOrderId: string },
  snapshot: AccountSnapshot,
): LiveRequest {
  const order = snapshot.openOrders.find(({ clientOrderId: name }) => name === clientOrderId);
  const stop = order?.type === 'stop_market' || order?.type === 'stop_limit';
  return { type: 'cancel', pair, clientOrderId, kind: stop ? 'stop' : 'plain' };
}

function applyEvent(context: EventContext, event: LedgerEvent, snapshot: AccountSnapshot): void {
  const { bot, state } = context.session;
  const pair = 'pair' in event ? state.bot.pairs.find((candidate) => candidate.pair === event.pair) : undefined;
  switch (event.type) {
    case 'fill': {
      const fill = snapshot.fills.find(({ pair: name, id }) => name === event.pair && id === event.id);
      if (fill !== undefined) onFill(context, fill);
      break;
    }
    case 'adjust':
      // What a late fill needs back, it takes itself.
      if (pair === undefined || event.why === 'late_fill') break;
      recordExternalChange(context, event.pair, {
        what: 'adjust',
        quantity: formatUnits(event.quantityDelta, pair.market?.assetDecimals),
        price: formatUnits(event.price),
      });
      onAdjustment(bot, pair, { ...event, at: context.at });
      if (pair.holding.quantity === 0) state.flatSince[event.pair] = snapshot.askedAt;
      break;
    case 'transfer':
      state.missing = Math.max(0, exact(state.missing - event.amount));
      recordExternalChange(context, null, {
        what: 'transfer',
        asset: event.asset,
        amount: formatUnits(event.amount),
        source: event.source,
        missing: formatUnits(state.missing),
      });
      applyLedgerEvent(accountOf(bot, {}), event);
      break;
    case 'leverage':
      recordExternalChange(context, event.pair, {
        what: 'leverage',
        leverage: event.leverage,
        isolated: event.isolated,
      });
      applyLedgerEvent(accountOf(bot, {}), event);
      break;
    case 'funding':
    case 'clearance':
      if (pair === undefined) break;
      context.durable = true;
      state.applied[`${event.type}/${event.pair}/${event.id}`] = true;
      onIncome(bot, pair, event.type, event.amount, context.at);
      break;
    default:
      context.durable = true;
      applyLedgerEvent(accountOf(bot, {}), event);
  }
}

/** An order that we should know and do not: it belongs to an intent that is at work. */
function adopt(
  context: EventContext,
  intentId: string,
  { clientOrderId: name }: TheirOrder,
  snapshot: AccountSnapshot,
): void {
  const { state } = context.session;
  const report = snapshot.openOrders.find(({ clientOrderId: own }) => own === name);
  const pair = state.bot.pairs.find(({ pair: own }) => own === report?.pair);
  const parent = pair && workingParents(pair).find(({ id }) => `${id}` === intentId);
  if (
    report === undefined ||
    pair === undefined ||
    parent === undefined ||
    findTrackedOrder(context, name) !== undefined
  )
    return;
  const { side, price, quantity, exit, at } = report;
  const n = Number(name.slice(name.lastIndexOf('-') + 1));
  const type = report.type ?? 'limit_maker';
  // Stops are asked for, and cancelled, in another way than other orders.
  const triggerOf = report.trigger === undefined ? {} : { trigger: report.trigger };
  const order: LiveOrder = {
    n,
    type,
    price,
    ...triggerOf,
    quantity,
    filled: 0,
    status: 'placing',
    placedAt: at,
    fillIds: [],
  };
  parent.order = order;
  parent.orders = Math.max(parent.orders, n);
  const request = {
    clientOrderId: name,
    pair: pair.pair,
    side,
    type,
    price,
    ...triggerOf,
    quantity,
    exit,
    decidedAt: at,
  };
  state.orders.push(trackedOrder(request, 0));
  recordExternalChange(context, pair.pair, { what: 'adopted', clientOrderId: name });
  onOrderReport(context, report, false);
}

/**
 * Fills of it may have been told without its name: those of a stop are by the order that it has become, which is known when
 * the stop itself has been asked for.
 */
function mayHaveUnreportedFills({ trigger, askAt, fetchAt }: TrackedOrder): boolean {
  return fetchAt > 0 || (trigger !== undefined && askAt > 0);
}

/** Fills before the cursor are not told again and need not be remembered. */
function forget({ session }: EventContext, pair: string, before: number, { fills }: AccountSnapshot): void {
  const { applied } = session.state;
  for (const fill of fills) if (fill.pair === pair && fill.at < before) delete applied[`fill/${pair}/${fill.id}`];
}
