import type { Market } from '../market/market.ts';
import { formatUnits, mulDiv, powerOfTen, SCALE_DECIMALS } from '../money/units.ts';
import type { BotObserver } from '../state/botObserver.ts';
import type { PairState, Position } from '../state/botState.ts';
import type { ClosedPosition } from '../state/closedPosition.ts';
import { clientOrderId, type ParentOrder } from '../state/parentOrder.ts';
import { positionReturn } from '../state/positionReturn.ts';

/** Kind of the notes on order plans. Journals store it as `ladder` since version 1, so it never changes. */
export const PLAN_NOTE = 'ladder';

/** Kinds of journal notes. */
export const NOTE_KINDS = [
  'command',
  'status',
  'signal',
  'refusal',
  'intent',
  'order',
  'fill',
  'intent_end',
  'position_closed',
  'funding',
  'liquidation',
  PLAN_NOTE,
  'leverage',
  'volume',
  'suspension',
  'phase',
  'alarm',
  'external',
] as const;

export type NoteKind = (typeof NOTE_KINDS)[number];

/** One line of a bot's journal; amounts are exact decimals as text. */
export interface Note {
  at: number;
  pair: string | null;
  kind: NoteKind;
  data: Record<string, string | number | boolean | null>;
}

/** Leverage data of the note of a parent order. */
type LeverageData = { readonly leverage: number; readonly askedLeverage: number } | Record<string, never>;

/**
 * Creates an observer that writes everything as notes, passes closed candles to `candle`, and adds closed positions to `closed`.
 * A later result of a closed position adds the position again.
 */
export function createJournalObserver(
  botId: string,
  notes: Note[],
  candle: BotObserver['candle'],
  closed: ClosedPosition[] = [],
): BotObserver {
  const add = (at: number, pair: PairState | null, kind: NoteKind, data: Note['data']) =>
    notes.push({ at, pair: pair?.pair ?? null, kind, data });
  return {
    status: (at, from, to) => add(at, null, 'status', { from, to }),
    command: (at, pair, command, inputs) => notes.push({ at, pair, kind: 'command', data: { command, ...inputs } }),
    signal: (at, pair, side, close) => add(at, pair, 'signal', { side, close }),
    refusal: (at, pair, gate, inputs) => add(at, pair, 'refusal', { gate, ...inputs }),
    parentOrder: (at, pair, parent) => add(at, pair, 'intent', parentOrderData(pair, parent)),
    order: (at, pair, parent, order, status) => {
      const decimals = (pair.market as Market).assetDecimals;
      add(at, pair, 'order', {
        clientOrderId: clientOrderId(botId, parent, order),
        intent: `${parent.id}`,
        type: order.type,
        side: parent.side,
        reason: parent.reason,
        price: order.price === 0 ? null : formatUnits(order.price),
        ...(order.trigger === undefined ? {} : { trigger: formatUnits(order.trigger.price) }),
        quantity: formatUnits(order.quantity, decimals),
        filled: formatUnits(order.filled, decimals),
        ...(order.notional === undefined
          ? {}
          : { averagePrice: formatUnits(mulDiv(order.notional, powerOfTen(decimals), order.filled)) }),
        status,
      });
    },
    fill: (at, pair, parent, fill, booked) => {
      const market = pair.market as Market;
      add(at, pair, 'fill', {
        id: parent.order?.fillIds.at(-1) ?? null,
        clientOrderId: parent.order === null ? null : clientOrderId(botId, parent, parent.order),
        intent: `${parent.id}`,
        position: pair.position === null ? null : positionName(pair.position),
        kind: parent.kind,
        side: parent.side,
        reason: parent.reason,
        quantity: formatUnits(fill.quantity, market.assetDecimals),
        price: formatUnits(fill.price),
        fee: formatUnits(fill.fee, feeDecimals(market, fill.feeAsset)),
        feeAsset: fill.feeAsset,
        feeQuote: formatUnits(booked.feeQuote),
        realised: formatUnits(booked.realised),
        liquidity: fill.liquidity,
      });
    },
    parentOrderEnd: (at, pair, parent, how) => add(at, pair, 'intent_end', { ...tradeData(pair, parent), how }),
    positionClosed: (pair, of, left) => {
      add(of.closedAt, pair, 'position_closed', closedData(pair, of, left));
      closed.push(of);
    },
    closedChanged: (_pair, of) => closed.push(of),
    funding: (at, pair, amount, rate, mark) =>
      add(at, pair, 'funding', {
        position: pair.position === null ? null : positionName(pair.position),
        amount: formatUnits(amount),
        ratePercent: rate === null ? null : formatUnits(rate, SCALE_DECIMALS - 2),
        mark: mark === null ? null : formatUnits(mark),
      }),
    liquidation: (at, pair, position, { price, realised, fee, insurance }) =>
      add(at, pair, 'liquidation', {
        position: positionName(position),
        direction: position.direction === 1 ? 'long' : 'short',
        price: formatUnits(price),
        realised: formatUnits(realised),
        fee: formatUnits(fee),
        insurance: formatUnits(insurance),
      }),
    orderPlan: (at, pair, what, inputs) => add(at, pair, PLAN_NOTE, { what, ...inputs }),
    leverage: (at, pair, { asked, leverage }) => add(at, pair, 'leverage', { asked, leverage }),
    suspension: (at, pair, status) => add(at, pair, 'suspension', { status: status ?? 'trading' }),
    volume: (at, pair, low, inputs) => add(at, pair, 'volume', { low, ...inputs }),
    phase: (at, pair, from, to) => add(at, pair, 'phase', { from, to }),
    alarm: (at, pair, what, inputs) => add(at, pair, 'alarm', { what, ...inputs }),
    candle,
  };
}

/** A position as the journal names it. */
function positionName({ id }: Pick<Position, 'id'>): string {
  return `p${id}`;
}

/** Decimals of a fee amount: asset units for the base, 1e-8 otherwise. */
export function feeDecimals(market: Market, asset: string): number {
  return asset === market.base ? market.assetDecimals : SCALE_DECIMALS;
}

function parentOrderData(pair: PairState, parent: ParentOrder): Note['data'] {
  return {
    id: `${parent.id}`,
    kind: parent.kind,
    side: parent.side,
    direction: parent.direction === 1 ? 'long' : 'short',
    reason: parent.reason,
    urgency: parent.urgency,
    quantity: formatUnits(parent.target, (pair.market as Market).assetDecimals),
    budget: parent.kind === 'entry' ? formatUnits(parent.budget) : null,
    ...(parent.limit !== undefined && { limit: formatUnits(parent.limit.price) }),
    ...(parent.stopEntry !== undefined && { trigger: formatUnits(parent.stopEntry.price) }),
    ...leverageOf(pair, parent),
  };
}

/**
 * Returns the leverage and the wanted leverage of an entry on margin; nothing for other parent orders.
 *
 * @see docs/entries.md#leverage-and-margin-mode
 */
export function leverageOf({ holding, lowered }: PairState, { kind }: ParentOrder): LeverageData {
  const { leverage } = holding;
  if (kind !== 'entry' || (leverage === 1 && lowered === null)) return {};
  return { leverage, askedLeverage: lowered?.leverage === leverage ? lowered.asked : leverage };
}

/** Returns a finished parent order as a trade record. @see docs/accounting.md#trade-record */
function tradeData(pair: PairState, parent: ParentOrder): Note['data'] {
  const market = pair.market as Market;
  const average = parent.filled > 0 ? mulDiv(parent.notional, powerOfTen(market.assetDecimals), parent.filled) : 0;
  return {
    ...parentOrderData(pair, parent),
    openedAt: parent.openedAt,
    filled: formatUnits(parent.filled, market.assetDecimals),
    averagePrice: formatUnits(average),
    firstPrice: formatUnits(parent.firstPrice),
    slippagePercent: slippagePercent(parent.side, parent.firstPrice, average),
    feeAsset: parent.feeAsset,
    fee: formatUnits(parent.fee, feeDecimals(market, parent.feeAsset)),
    feeQuote: formatUnits(parent.feeQuote),
    realised: parent.kind === 'exit' ? formatUnits(parent.realised) : null,
  };
}

/** Distance of the average price from the first price in percent; adverse is positive. @see docs/accounting.md#trade-record */
export function slippagePercent(side: 'buy' | 'sell', firstPrice: number, average: number): number {
  if (firstPrice === 0 || average === 0) return 0;
  const moved = (100 * (average - firstPrice)) / firstPrice;
  const adverse = side === 'buy' ? moved : -moved;
  return adverse === 0 ? 0 : adverse;
}

function closedData(pair: PairState, closed: ClosedPosition, left: number): Note['data'] {
  return {
    position: positionName(closed),
    direction: closed.direction === 1 ? 'long' : 'short',
    openedAt: closed.openedAt,
    entryPrice: formatUnits(closed.entryPrice),
    net: formatUnits(closed.net),
    fees: formatUnits(closed.fees),
    returnPercent: positionReturn(closed),
    dust: formatUnits(left, (pair.market as Market).assetDecimals),
  };
}
