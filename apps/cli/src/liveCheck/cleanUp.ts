import { setTimeout as delay } from 'node:timers/promises';
import { ORDER_LIFETIME_MS } from '@heron/engine/live/orderRequest.ts';
import { floorStep, floorTick, meetsMinimums } from '@heron/engine/market/market.ts';
import { formatUnits, mulDiv, type Quantity } from '@heron/engine/money/units.ts';
import { ExchangeError } from '@heron/exchanges/errors.ts';
import type { LeftOver } from './report.ts';
import type { CheckSession, SentOrder } from './session.ts';

/** An order that is older than this, counted from its decision, can no longer reach the exchange. */
const GONE_AFTER_MS = ORDER_LIFETIME_MS + 1_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Cancels every order of the check and sells what it holds, and retries until the deadline.
 *
 * @param until ms of the clock of this machine
 * @returns what is left, with what the user can do about it; empty when nothing is left
 */
export async function cleanUp(session: CheckSession, until: number): Promise<LeftOver[]> {
  let pause = FIRST_PAUSE_MS;
  let problem: string | null = null;
  for (;;) {
    try {
      const round = await cleanUpOnce(session);
      if (round === 'clean') return [];
      if (round === 'too small to sell') return leftOvers(session, round);
      problem = null;
      pause = FIRST_PAUSE_MS;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
    if (Date.now() + pause > until) return leftOvers(session, problem);
    await delay(pause);
  }
}

/** One round. @returns `clean` when the exchange has confirmed that nothing is left */
async function cleanUpOnce(session: CheckSession): Promise<'clean' | 'again' | 'too small to sell'> {
  const open = session.sent.filter(({ over }) => !over);
  for (const order of open) await endOrder(session, order);
  if (session.sent.some(({ over }) => !over)) return 'again';
  if (session.sent.every(({ report }) => report === null)) return 'clean';
  const { market, trading } = session.deps;
  const quantity = await sellable(session);
  if (quantity === 0) return 'clean';
  const { bid } = await session.prices();
  // A reduce-only order may close any part of a futures position.
  if (trading.margin === null && !meetsMinimums(market, bid, quantity)) return 'too small to sell';
  const price = floorTick(market, mulDiv(bid, 97, 100));
  const order = await session.place({ side: 'sell', type: 'limit_ioc', price, quantity, exit: true });
  await session.ask(order);
  // This is checked at once, because a wait for the request limit may have used up the time of another round.
  return order.over && (await sellable(session)) === 0 ? 'clean' : 'again';
}

/** Returns the quantity held because of the check, in whole steps. */
async function sellable(session: CheckSession): Promise<Quantity> {
  return floorStep(session.deps.market, Math.max(0, await session.held()));
}

/** Cancels an order and queries its final state. An order that the exchange does not know may still arrive there. */
async function endOrder(session: CheckSession, order: SentOrder): Promise<void> {
  const { clientOrderId, decidedAt, pair } = order.ticket;
  const report = await session.ask(order);
  if (order.over) return;
  if (report === null) {
    if (Date.now() - decidedAt > GONE_AFTER_MS) order.over = true;
    return;
  }
  try {
    await session.deps.trading.cancel(pair, clientOrderId, order.kind);
  } catch (error) {
    // It may have ended meanwhile; the next query shows that.
    if (!(error instanceof ExchangeError) || error.kind === 'rate_limited') throw error;
  }
  await session.ask(order);
}

function leftOvers(session: CheckSession, problem: string | null): LeftOver[] {
  const { market } = session.deps;
  const because = problem === null ? '' : ` (last problem: ${problem})`;
  const orders = session.sent
    .filter(({ over }) => !over)
    .map(({ ticket, report }): LeftOver => {
      const { clientOrderId, side, quantity, price } = ticket;
      const text = `${side} ${formatUnits(quantity, market.assetDecimals)} ${market.base} at ${formatUnits(price)}`;
      return {
        what: `${report === null ? 'Perhaps an order' : 'An order'} ${clientOrderId}: ${text}${because}`,
        howTo: `Open ${market.pair} at the exchange, list its open orders (including stop orders) and cancel this one.`,
      };
    });
  const bought = session.sent.reduce(
    (sum, { ticket, report }) => sum + (ticket.side === 'buy' ? 1 : -1) * (report?.filled ?? 0),
    0,
  );
  const unknown = orders.length > 0 || bought > 0;
  if (!unknown) return orders;
  const amount = formatUnits(Math.max(0, bought), market.assetDecimals);
  return [
    ...orders,
    {
      what: `Up to ${amount} ${market.base} bought by this check, minus what its orders above may still sell${because}`,
      howTo: `Compare your trades of ${market.pair} at the exchange with the fills of this report; sell the excess at market.`,
    },
  ];
}
