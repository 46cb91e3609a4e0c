import type { OwnFill } from '@heron/engine/live/report.ts';
import {
  ceilTick,
  floorStep,
  floorTick,
  type Market,
  meetsMinimums,
  notional,
  quantityFor,
} from '@heron/engine/market/market.ts';
import { formatUnits, mulDiv, type Price, type Quantity, type Quote } from '@heron/engine/money/units.ts';
import type { Balance } from '@heron/exchanges/trading.ts';
import { reconcile } from './reconcile.ts';
import type { BalanceLine, StepName } from './report.ts';
import { CheckFailed, type CheckSession, type SentOrder } from './session.ts';

/** Distance of limit prices from the market in percent: away if an order must not fill, across if it must. */
const AWAY = 3;
const ACROSS = 1;
/** Trigger of the stop below the best bid, and the limit of a stop limit below its trigger, in percent. */
const STOP_AWAY = 5;
const STOP_LIMIT_AWAY = 5;
/** Maximum number of orders for a sale that fills only in part. */
const SALES = 3;

/** State shared by the steps of a check. */
export interface CheckRun {
  readonly session: CheckSession;
  /** Max order value. */
  readonly limit: Quote;
  /** Balances before the first order. */
  before: readonly Balance[];
  fills: readonly OwnFill[];
  balances: readonly BalanceLine[];
  /** The order that waits away from the market. */
  waiting: SentOrder | null;
}

/** Runs one step. @returns the observations; null where the step does not apply to the venue */
export type Step = (run: CheckRun) => Promise<string[] | null>;

const percentOf = (price: Price, percent: number): Price => mulDiv(price, percent, 100);

/**
 * Returns the smallest quantity that can be bought, and sold again after the price has fallen to the stop.
 *
 * @param feeInBase a fee may reduce the quantity bought, so that one step less is sold
 */
function checkQuantity(market: Market, price: Price, feeInBase: boolean): Quantity {
  const worst = percentOf(price, 100 - STOP_AWAY - STOP_LIMIT_AWAY);
  const lost = feeInBase ? market.step : 0;
  let quantity = floorStep(market, Math.max(market.minQuantity, quantityFor(market, market.minNotional, worst)));
  while (!meetsMinimums(market, worst, quantity - lost)) quantity += market.step;
  return quantity;
}

async function quantityNow({ session, limit }: CheckRun): Promise<{ quantity: Quantity; bid: Price; ask: Price }> {
  const { market, trading } = session.deps;
  const { bid, ask } = await session.prices();
  const quantity = checkQuantity(market, bid, trading.margin === null);
  const value = notional(market, percentOf(ask, 100 + ACROSS), quantity);
  if (value > limit) {
    throw new CheckFailed(
      `the smallest order of ${market.pair} is worth up to ${formatUnits(value)} ${market.quote}, more than the limit: raise it with --limit`,
    );
  }
  return { quantity, bid, ask };
}

const checkKey: Step = async ({ session }) => {
  const { trade, withdraw, ipRestricted } = await session.deps.trading.permissions();
  if (!trade) throw new CheckFailed('the key cannot trade here: enable trading for it at the exchange');
  if (withdraw === true)
    throw new CheckFailed('the key can withdraw or transfer: create one that can only read and trade');
  return [
    withdraw === null
      ? 'it can trade; the exchange does not report whether it can withdraw'
      : 'it can trade and cannot withdraw',
    ipRestricted === null
      ? 'the exchange does not report whether the key has an IP allow-list'
      : ipRestricted
        ? 'IP allow-list is on'
        : 'WARNING: no IP allow-list; restrict the key to your address',
  ];
};

const checkAccount: Step = async (run) => {
  const { trading, market } = run.session.deps;
  const open = await trading.openOrders([market.pair]);
  const notes = [`${open.length} open orders of ${market.pair} from outside this check`];
  if (trading.margin !== null) {
    const positions = await trading.margin.positions();
    if (positions.some(({ pair }) => pair === market.pair)) {
      throw new CheckFailed(
        `there is an open position in ${market.pair}: close it, or choose another pair with --pair`,
      );
    }
    const [settings] = (await trading.margin.settings()).filter(({ pair }) => pair === market.pair);
    notes.push(`leverage ${settings?.leverage ?? '?'}, ${settings?.isolated ? 'isolated' : 'cross'} margin`);
    notes.push((await trading.margin.hedged()) ? 'hedge mode' : 'one-way mode');
  }
  const { quantity, ask } = await quantityNow(run);
  notes.push(`order size ${formatUnits(quantity, market.assetDecimals)} ${market.base}`);
  run.before = await trading.balances();
  if (trading.margin === null) {
    const free = run.before.find(({ asset }) => asset === market.quote)?.free ?? '0';
    const needed = notional(market, percentOf(ask, 100 + ACROSS), quantity);
    if (Number(free) < Number(formatUnits(needed))) {
      throw new CheckFailed(
        `the free ${market.quote} balance is below the ${formatUnits(needed)} that one order needs`,
      );
    }
  }
  return notes;
};

const checkStream: Step = async ({ session }) => {
  await session.streamConnected();
  return ['connected and subscribed'];
};

/** Places a post-only order that must not fill, and waits until the exchange has confirmed it. */
async function placeAway(run: CheckRun, percent: number): Promise<SentOrder> {
  const { session } = run;
  const { quantity, bid } = await quantityNow(run);
  const price = floorTick(session.deps.market, percentOf(bid, 100 - percent));
  const order = await session.place({
    side: 'buy',
    type: 'limit_maker',
    price,
    quantity: sized(run, quantity, price),
    exit: false,
  });
  const report = await session.until(order, ({ status }) => status === 'open', 'open');
  if (report.price !== price || report.filled !== 0)
    throw new CheckFailed('the exchange reports a different price or quantity for the order');
  const open = await session.deps.trading.openOrders([session.deps.market.pair]);
  if (!open.some(({ clientOrderId }) => clientOrderId === order.ticket.clientOrderId)) {
    throw new CheckFailed('the order is not in the list of open orders');
  }
  return order;
}

/** Raises the quantity, because the same value needs more away from the market. */
function sized({ session }: CheckRun, quantity: Quantity, price: Price): Quantity {
  const { market } = session.deps;
  let larger = quantity;
  while (!meetsMinimums(market, price, larger)) larger += market.step;
  return larger;
}

async function end(run: CheckRun, order: SentOrder): Promise<void> {
  const { ticket, kind } = order;
  await run.session.deps.trading.cancel(ticket.pair, ticket.clientOrderId, kind);
  await run.session.until(order, ({ status }) => status === 'canceled', 'cancelled');
}

const place: Step = async (run) => {
  run.waiting = await placeAway(run, AWAY);
  return [`post-only, ${AWAY} % below the best bid: open, and in the list of open orders`];
};

const amend: Step = async (run) => {
  const old = run.waiting;
  if (old === null) throw new CheckFailed('there is no order to amend');
  await end(run, old);
  run.waiting = await placeAway(run, AWAY + 1);
  return [`moved to ${AWAY + 1} % below by a cancel and a new order, as bots do`];
};

const cancel: Step = async (run) => {
  if (run.waiting === null) throw new CheckFailed('there is no order to cancel');
  await end(run, run.waiting);
  run.waiting = null;
  return ['cancelled, and a query confirms it'];
};

const buy: Step = async (run) => {
  const { session } = run;
  const { market } = session.deps;
  const { quantity, ask } = await quantityNow(run);
  const price = ceilTick(market, percentOf(ask, 100 + ACROSS));
  const order = await session.place({ side: 'buy', type: 'limit_ioc', price, quantity, exit: false });
  const report = await session.until(order, ({ status }) => status !== 'open', 'filled');
  if (report.filled === 0) throw new CheckFailed(`the order was not filled within ${ACROSS} % of the price`);
  const fills = await session.allFills();
  return [
    `filled ${formatUnits(report.filled, market.assetDecimals)} of ${formatUnits(quantity, market.assetDecimals)}`,
    `${fills.length} fills in the trade list of the account, with the same total`,
  ];
};

const stop: Step = async (run) => {
  const { session } = run;
  const { market } = session.deps;
  if (market.stop === undefined) return null;
  const { bid } = await session.prices();
  const trigger = floorTick(market, percentOf(bid, 100 - STOP_AWAY));
  const limit = market.stop === 'limit' ? floorTick(market, percentOf(trigger, 100 - STOP_LIMIT_AWAY)) : 0;
  const order = await session.place({
    ...{ side: 'sell', type: market.stop === 'limit' ? 'stop_limit' : 'stop_market', price: limit, exit: true },
    quantity: floorStep(market, await session.held()),
    trigger: { price: trigger, by: 'last' },
  });
  await session.until(order, ({ status }) => status === 'open', 'open');
  await end(run, order);
  return [
    `a stop at ${market.stop === 'limit' ? 'a limit' : 'market'}, ${STOP_AWAY} % below: placed, confirmed, cancelled`,
  ];
};

const sell: Step = async (run) => {
  const { session } = run;
  const { market } = session.deps;
  for (let sale = 1; ; sale += 1) {
    const quantity = floorStep(market, await session.held());
    if (quantity === 0) break;
    if (sale > SALES) throw new CheckFailed(`the position could not be sold with ${SALES} orders`);
    const { bid } = await session.prices();
    const price = floorTick(market, percentOf(bid, 100 - ACROSS));
    const order = await session.place({ side: 'sell', type: 'limit_ioc', price, quantity, exit: true });
    await session.until(order, ({ status }) => status !== 'open', 'filled');
    await session.allFills();
  }
  const dust = await session.held();
  const text = `${formatUnits(dust, market.assetDecimals)} ${market.base}`;
  return [dust === 0 ? 'everything was sold' : `sold except ${text}, which the fee left and is less than one step`];
};

const reconcileBalances: Step = async (run) => {
  const { session } = run;
  const { trading, market, timeoutMs } = session.deps;
  run.fills = await session.allFills();
  const last = Date.now() + timeoutMs;
  for (;;) {
    const incomes = (await trading.margin?.incomes(session.since)) ?? [];
    const [fills, before] = [run.fills, run.before];
    const after = await trading.balances();
    run.balances = reconcile({ market, isFuture: trading.margin !== null, before, after, fills, incomes });
    const wrong = run.balances.filter(({ verdict }) => verdict === 'differs');
    if (wrong.length === 0) break;
    if (Date.now() > last) {
      const assets = wrong.map(({ asset }) => asset).join(', ');
      throw new CheckFailed(
        `balances of ${assets} do not match the fills and fees: check whether something else traded meanwhile`,
      );
    }
    await session.wait();
  }
  const exact = run.balances.every(({ verdict }) => verdict === 'exact');
  return [
    exact
      ? 'balances match the fills and fees exactly'
      : 'balances match the fills and fees, except for rounding by the exchange',
  ];
};

/** The steps in the order of an order's life. */
export const CHECK_STEPS: Readonly<Record<StepName, Step>> = {
  key: checkKey,
  account: checkAccount,
  stream: checkStream,
  place,
  amend,
  cancel,
  buy,
  stop,
  sell,
  reconcile: reconcileBalances,
};
