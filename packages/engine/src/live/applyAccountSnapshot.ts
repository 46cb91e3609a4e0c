import { handle } from '../bot/handle.ts';
import type { Bracket } from '../ledger/brackets.ts';
import { applyLedgerEvent, type LedgerEvent } from '../ledger/events.ts';
import { openWallet } from '../ledger/wallet.ts';
import type { Market } from '../market/market.ts';
import { exact, formatUnits, mulDiv, type Price, powerOfTen, type Quote } from '../money/units.ts';
import { unclaimedCash } from '../reconcile/cashClaims.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Action, OurParentOrder, OurView, TheirOrder, TheirPair, TheirView } from '../reconcile/view.ts';
import { accountOf } from '../state/accountOf.ts';
import { adoptMarket, checkAssetUnit } from '../state/adoptMarket.ts';
import type { Adjustment } from '../state/botEvents.ts';
import type { PairState } from '../state/botState.ts';
import type { LiveOrder, ParentOrder } from '../state/parentOrder.ts';
import type { EventContext } from './eventContext.ts';
import type { AccountSnapshot, LiveRequest, PairOnAccount } from './executionEvent.ts';
import { recordExternalChange } from './externalChange.ts';
import { findTrackedOrder, isAfterCursor, onFill, onOrderReport, onOutcomeUnknown } from './orderLife.ts';
import { incomeKey, ownIncomes } from './ownIncomes.ts';
import { recordFlat, settleIfDue } from './settlement.ts';
import { type TrackedOrder, trackedOrder } from './trackedOrder.ts';

/**
 * Compares the bot with an account snapshot: at the start, every `sync_trade_time`, and whenever an event may be lost.
 *
 * @throws AssetUnitChanged before anything is booked when a pair is counted in another unit than its holding
 * @see docs/accounting.md#reconciliation
 */
export function applyAccountSnapshot(context: EventContext, given: AccountSnapshot): void {
  const { session } = context;
  const { state } = session;
  checkAssetUnits(context, given.pairs);
  const snapshot = { ...given, fills: given.fills.filter((fill) => isAfterCursor(context, fill)) };
  openOnce(context, snapshot);
  for (const order of snapshot.openOrders) onOrderReport(context, order, false);
  const behind = isOlderThanFills(context, snapshot);
  const settled = snapshot.settled && !behind;
  // The quantity held at the time of a payment is computed from the fills of the snapshot, which must be complete.
  const incomes = behind ? [] : ownIncomes(context, snapshot);
  const theirs = { ...theirView(context, snapshot, settled), incomes };
  const { actions, memory } = reconcile(ourView(context), theirs, state.memory);
  for (const action of actions) applyAction(context, action, snapshot);
  // A difference that could not be compared now stays in memory unchanged.
  if (settled) state.memory = memory;
  onFreeBalance(context, snapshot.free);
  session.synced = true;
  // The next snapshot must include the fills that show what was held when an income was paid.
  if (behind) return;
  for (const [pair, cursor] of Object.entries(snapshot.cursors)) {
    // Fills of a pair without a known market cannot be booked; the next snapshot includes them again.
    if (!state.bot.pairs.some((own) => own.pair === pair && own.market !== null)) continue;
    if (state.orders.some((order) => order.pair === pair && mayHaveUnreportedFills(order))) continue;
    forget(context, pair, cursor.at, snapshot);
    state.cursors[pair] = cursor;
  }
  settleIfDue(context, snapshot);
  for (const income of snapshot.incomes) if (income.at < snapshot.incomesSince) delete state.applied[incomeKey(income)];
  state.incomesSince = Math.max(state.incomesSince, snapshot.incomesSince);
}

/** Checks the units before fills and quantities of the snapshot are read in those of the bot. */
function checkAssetUnits({ session }: EventContext, pairs: readonly PairOnAccount[]): void {
  for (const { pair: name, market } of pairs) {
    const pair = session.state.bot.pairs.find((own) => own.pair === name);
    if (pair !== undefined) checkAssetUnit(session.bot, pair, market);
  }
}

/** Applies the free amount of the currency, from a snapshot or from the account stream. @see docs/accounting.md#cash-for-entries */
export function onFreeBalance(context: EventContext, free: Quote): void {
  const { state, bot } = context.session;
  // On futures the margin counts, which the bot computes itself.
  if (bot.rules.future) return;
  let reserved = 0;
  for (const order of state.orders) {
    if (!order.known || order.end !== null || order.side !== 'buy' || order.trigger !== undefined) continue;
    const market = state.bot.pairs.find(({ pair }) => pair === order.pair)?.market;
    if (market) reserved += mulDiv(order.quantity - order.reported, order.price, powerOfTen(market.assetDecimals));
  }
  state.bot.spendable = exact(free + reserved);
}

/** Opens the account with the money of the first snapshot. @see docs/accounting.md#cash-for-entries */
function openOnce(context: EventContext, { cash, otherBots }: AccountSnapshot): void {
  const { state } = context.session;
  if (state.opened) return;
  const left = unclaimedCash(cash, otherBots);
  state.opened = true;
  state.missing = 0;
  state.peakTransfers = 0;
  state.bot.wallet = openWallet(state.allotment === null ? left : Math.min(left, state.allotment));
  state.peakEquity = state.bot.wallet.start;
  recordExternalChange(context, null, { what: 'capital', amount: formatUnits(state.bot.wallet.start) });
}

/** Returns whether fills are booked that the snapshot lacks, which makes it older than the known state. */
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
      parents.push({ id: `${parent.id}`, pair: pair.pair, isPlanOrder: parent.planKey !== '', orders });
    }
  }
  const account = accountOf(bot, state.applied);
  const claim = { id: state.bot.id, missing: state.missing, allotted: state.allotment !== null, running: true };
  const late = state.orders.filter(({ booked, reported }) => booked < reported).map(({ pair }) => pair);
  const books = { account, claim, heldSince: state.heldSince, prefix: `${state.bot.id}-`, unbooked: new Set(late) };
  return { ...books, intents: parents, marks, brackets };
}

function workingParents({ entry, exit, stop, planOrders }: PairState): ParentOrder[] {
  return [entry, exit, stop, ...planOrders].filter((parent) => parent !== null);
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
  // In hedge mode a short does not reduce a long: the holding is compared with its own side.
  const onOtherSide = otherSide !== undefined && holding !== undefined && holding.quantity > 0;
  const pair = onOtherSide && Math.sign(otherSide.quantity) === holding.side ? { ...reported, ...otherSide } : reported;
  // On futures a pair has one position on the account: the part that is not ours is an external change.
  const quantity = session.bot.rules.future ? pair.quantity : exact(pair.quantity - others);
  // The next entry decides the settings of a contract without a position.
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
      // The order was open when the snapshot was requested and has ended since.
      if ((context.session.ended.get(action.clientOrderId) ?? 0) >= snapshot.askedAt) break;
      recordExternalChange(context, action.pair, { what: 'unknown_order', clientOrderId: action.clientOrderId });
      context.requests.push(cancelOf(action, snapshot));
      // Only a running bot repeats a cancel that is lost.
      state.bot.unsettledSince = context.at;
      break;
    case 'query':
      // An order that may be newer than the snapshot is queried as well; the query is harmless.
      onOutcomeUnknown(context, action.clientOrderId);
      break;
    case 'foreign': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      const decimals = pair?.market?.assetDecimals;
      const surplus = formatUnits(action.surplus, decimals);
      const pauses = action.stopsEntries && { pauses: true };
      recordExternalChange(context, action.pair, { what: 'foreign', surplus, ...pauses });
      if (pair !== undefined && action.stopsEntries) pair.paused = 'external';
      break;
    }
    case 'settings': {
      const pair = state.bot.pairs.find((candidate) => candidate.pair === action.pair);
      if (pair === undefined) break;
      const first = pair.brackets.length === 0;
      adoptMarket(bot, pair, action.market);
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
      // A late fill restores the quantity that it needs.
      if (pair === undefined || event.why === 'late_fill') break;
      recordExternalChange(context, event.pair, {
        what: 'adjust',
        quantity: formatUnits(event.quantityDelta, pair.market?.assetDecimals),
        price: formatUnits(event.price),
      });
      handle(bot, { ...event, at: context.at, shared: mayBeOfOthers(snapshot, event) }, context.effects);
      if (pair.holding.quantity === 0) recordFlat(context, event.pair, snapshot.askedAt);
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
      handle(
        bot,
        { type: 'income', at: context.at, pair: pair.pair, income: event.type, amount: event.amount },
        context.effects,
      );
      break;
    default:
      context.durable = true;
      applyLedgerEvent(accountOf(bot, {}), event);
  }
}

/** Returns whether other bots of the account hold so much of the asset that the whole change may be theirs. */
function mayBeOfOthers({ pairs }: AccountSnapshot, { pair: name, quantityDelta }: Adjustment): boolean {
  return pairs.some(({ pair, others }) => pair === name && Math.abs(others) >= Math.abs(quantityDelta));
}

/** Adopts an untracked order that belongs to a working parent order. */
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
  // Stops are queried and cancelled by requests of their own.
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
 * Returns whether fills of an order may be unbooked. Fills of a stop carry the id of the order that it became, which a query
 * of the stop returns.
 */
function mayHaveUnreportedFills({ trigger, askAt, fetchAt }: TrackedOrder): boolean {
  return fetchAt > 0 || (trigger !== undefined && askAt > 0);
}

/** Forgets booked fills before the cursor, because no later snapshot includes them. */
function forget({ session }: EventContext, pair: string, before: number, { fills }: AccountSnapshot): void {
  const { applied } = session.state;
  for (const fill of fills) if (fill.pair === pair && fill.at < before) delete applied[`fill/${pair}/${fill.id}`];
}
