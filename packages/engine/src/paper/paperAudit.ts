import { unrealised } from '../ledger/holding.ts';
import { formatUnits, mulDiv, type Price, type Quote } from '../money/units.ts';
import type { Bot } from '../state/bot.ts';
import type { PairState } from '../state/botState.ts';
import { equityOf } from '../state/equity.ts';
import type { PairQuote } from '../state/pairQuote.ts';
import { clientOrderId } from '../state/parentOrder.ts';
import type { PaperExchange } from './paperExchange.ts';

/** Checks of an audit of a paper account. @see docs/invariants.md */
export const AUDIT_CHECKS = [
  /** A figure of the ledger is not an exact whole number (I-37). */
  'inexact',
  /** Equity is not start capital, results, open results and insurance (I-4). */
  'equity',
  /** The wallet is below zero (I-19). */
  'wallet',
  /** A holding without quantity has a cost or margin, or one with a quantity has none (I-7). */
  'holding',
  /** A position differs from the ledger. */
  'position',
  /** Orders of the bot and of the simulated exchange differ (I-21). */
  'orders',
  /** The price that the bot uses differs from the venue's ticker. */
  'price',
] as const;

export type AuditCheck = (typeof AUDIT_CHECKS)[number];

/** A fault found by an audit; it concerns the whole account where `pair` is null. */
export interface AuditFault {
  readonly check: AuditCheck;
  readonly pair: string | null;
  readonly expected: string;
  readonly found: string;
}

/** Price of a pair by the venue's ticker, and the price that the bot used at that time. */
export interface PriceCheck {
  readonly at: number;
  readonly venue: Price;
  readonly own: Price;
}

/** Maximum difference of both prices. @see docs/paper.md#audit */
const APART_PERCENT = 5;

/**
 * Checks that a paper account balances: the identities of its ledger, its orders, its prices. It changes nothing.
 *
 * @param prices newest price of each pair by the venue's ticker; those before `since` were checked before
 * @see docs/paper.md#audit, docs/invariants.md
 */
export function auditPaper(
  bot: Bot,
  exchange: PaperExchange,
  prices: Readonly<Record<string, PriceCheck>>,
  since: number,
): AuditFault[] {
  const { wallet, pairs } = bot.state;
  const figures = pairs.flatMap(({ holding }) => [
    ...[holding.quantity, holding.cost, holding.realised, holding.fees, holding.funding, holding.margin],
  ]);
  // Further checks need exact numbers.
  const inexact = [wallet.quote, wallet.start, wallet.insurance, ...figures].find(
    (value) => !Number.isSafeInteger(value),
  );
  if (inexact !== undefined) return [{ check: 'inexact', pair: null, expected: '0', found: `${inexact}` }];
  return [
    ...auditMoney(bot),
    ...pairs.flatMap((pair) => [...auditHolding(bot, pair), ...auditPosition(pair)]),
    ...auditOrders(bot, exchange),
    ...pairs.flatMap((pair) => auditPrice(pair, prices[pair.pair], since)),
  ];
}

function auditMoney(bot: Bot): AuditFault[] {
  const { wallet, pairs } = bot.state;
  const faults: AuditFault[] = [];
  let expected: Quote = wallet.start + wallet.transfers + wallet.insurance + wallet.thirdFees;
  for (const { holding, market, mark } of pairs) {
    expected += holding.realised;
    if (market !== null) expected += unrealised(market, holding, mark);
  }
  const found = equityOf(bot);
  if (found !== expected) faults.push(faultOf('equity', null, expected, found));
  if (wallet.quote < 0) faults.push(faultOf('wallet', null, 0, wallet.quote));
  return faults;
}

function auditHolding({ rules }: Bot, { pair, holding }: PairState): AuditFault[] {
  const { quantity, cost, margin, isolated } = holding;
  const empty = quantity === 0;
  if (quantity < 0 || cost < 0 || margin < 0 || (empty && (cost !== 0 || margin !== 0)))
    return [faultOf('holding', pair, 0, empty ? cost + margin : Math.min(quantity, cost, margin))];
  if (rules.future && !empty && isolated && margin === 0 && cost > 0) return [faultOf('holding', pair, cost, margin)];
  return [];
}

function auditPosition({ pair, position, holding }: PairState): AuditFault[] {
  if (position === null || (holding.quantity > 0 && holding.side === position.direction)) return [];
  return [{ check: 'position', pair, expected: `${position.direction}`, found: `${holding.side * holding.quantity}` }];
}

function auditOrders({ state }: Bot, exchange: PaperExchange): AuditFault[] {
  const own = new Map<string, string>();
  for (const pair of state.pairs) {
    for (const parent of [pair.entry, pair.exit, pair.stop, ...pair.planOrders]) {
      if (parent?.order) own.set(clientOrderId(state.id, parent, parent.order), pair.pair);
    }
  }
  const there = new Set(exchange.orders.map(({ clientOrderId: name }) => name));
  return [
    ...[...own]
      .filter(([name]) => !there.has(name))
      .map(([name, pair]) => ({ check: 'orders', pair, expected: name, found: '' }) as const),
    ...exchange.orders
      .filter(({ clientOrderId: name }) => !own.has(name))
      .map(({ clientOrderId: name, pair }) => ({ check: 'orders', pair, expected: '', found: name }) as const),
  ];
}

function auditPrice({ pair, position }: PairState, checked: PriceCheck | undefined, since: number): AuditFault[] {
  if (position === null || checked === undefined || checked.at <= since) return [];
  const { venue, own } = checked;
  if (venue <= 0 || own <= 0 || Math.abs(own - venue) <= mulDiv(venue, APART_PERCENT, 100)) return [];
  return [faultOf('price', pair, venue, own)];
}

function faultOf(check: AuditCheck, pair: string | null, expected: number, found: number): AuditFault {
  return { check, pair, expected: formatUnits(expected), found: formatUnits(found) };
}

/** Returns the price that a bot uses: the last one, else the middle of the book; 0 without a quote. */
export function ownPrice(quote: PairQuote | null): Price {
  if (quote === null) return 0;
  if (quote.last > 0) return quote.last;
  return quote.bid > 0 && quote.ask > 0 ? Math.round((quote.bid + quote.ask) / 2) : 0;
}
