import type { PairState, Position } from '../bot/state.ts';
import type { Witness } from '../bot/witness.ts';
import type { Market } from '../market/market.ts';
import { formatUnits, mulDiv, powerOfTen, SCALE_DECIMALS } from '../money/units.ts';
import { clientOrderId, type Intent } from '../orders/intent.ts';

/** What a line of the journal tells. */
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
  'ladder',
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

/** What a line of an intent says of its leverage. */
type LeverageData = { readonly leverage: number; readonly askedLeverage: number } | Record<string, never>;

/** A witness that writes every happening down as a note and hands closed candles to `candle`. */
export function journalWitness(botId: string, notes: Note[], candle: Witness['candle']): Witness {
  const add = (at: number, pair: PairState | null, kind: NoteKind, data: Note['data']) =>
    notes.push({ at, pair: pair?.pair ?? null, kind, data });
  return {
    status: (at, from, to) => add(at, null, 'status', { from, to }),
    command: (at, pair, command, inputs) => notes.push({ at, pair, kind: 'command', data: { command, ...inputs } }),
    signal: (at, pair, side, close) => add(at, pair, 'signal', { side, close }),
    refusal: (at, pair, gate, inputs) => add(at, pair, 'refusal', { gate, ...inputs }),
    intent: (at, pair, intent) => add(at, pair, 'intent', intentData(pair, intent)),
    order: (at, pair, intent, order, status) => {
      const decimals = (pair.market as Market).assetDecimals;
      add(at, pair, 'order', {
        clientOrderId: clientOrderId(botId, intent, order),
        intent: `${intent.id}`,
        type: order.type,
        side: intent.side,
        reason: intent.reason,
        price: order.price === 0 ? null : formatUnits(order.price),
        ...(order.trigger === undefined ? {} : { trigger: formatUnits(order.trigger.price) }),
        quantity: formatUnits(order.quantity, decimals),
        filled: formatUnits(order.filled, decimals),
        status,
      });
    },
    fill: (at, pair, intent, fill, booked) => {
      const market = pair.market as Market;
      add(at, pair, 'fill', {
        id: intent.order?.fillIds.at(-1) ?? null,
        clientOrderId: intent.order === null ? null : clientOrderId(botId, intent, intent.order),
        intent: `${intent.id}`,
        position: pair.position === null ? null : positionName(pair.position),
        kind: intent.kind,
        side: intent.side,
        reason: intent.reason,
        quantity: formatUnits(fill.quantity, market.assetDecimals),
        price: formatUnits(fill.price),
        fee: formatUnits(fill.fee, feeDecimals(market, fill.feeAsset)),
        feeAsset: fill.feeAsset,
        feeQuote: formatUnits(booked.feeQuote),
        realised: formatUnits(booked.realised),
        liquidity: fill.liquidity,
      });
    },
    intentEnd: (at, pair, intent, how) => add(at, pair, 'intent_end', { ...tradeData(pair, intent), how }),
    positionClosed: (at, pair, position, entry, left) =>
      add(at, pair, 'position_closed', closedData(pair, position, entry, left)),
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
    ladder: (at, pair, what, inputs) => add(at, pair, 'ladder', { what, ...inputs }),
    leverage: (at, pair, { asked, leverage }) => add(at, pair, 'leverage', { asked, leverage }),
    suspension: (at, pair, status) => add(at, pair, 'suspension', { status: status ?? 'trading' }),
    volume: (at, pair, low, inputs) => add(at, pair, 'volume', { low, ...inputs }),
    phase: (at, pair, from, to) => add(at, pair, 'phase', { from, to }),
    alarm: (at, pair, what, inputs) => add(at, pair, 'alarm', { what, ...inputs }),
    candle,
  };
}

/** A position as the journal names it. */
function positionName({ id }: Position): string {
  return `p${id}`;
}

/** Decimals of a fee amount: asset units for the base, 1e-8 otherwise. */
export function feeDecimals(market: Market, asset: string): number {
  return asset === market.base ? market.assetDecimals : SCALE_DECIMALS;
}

function intentData(pair: PairState, intent: Intent): Note['data'] {
  return {
    id: `${intent.id}`,
    kind: intent.kind,
    side: intent.side,
    direction: intent.direction === 1 ? 'long' : 'short',
    reason: intent.reason,
    urgency: intent.urgency,
    quantity: formatUnits(intent.target, (pair.market as Market).assetDecimals),
    budget: intent.kind === 'entry' ? formatUnits(intent.budget) : null,
    ...leverageOf(pair, intent),
  };
}

/**
 * Leverage of an entry on margin, and what was asked for; nothing of anything else.
 *
 * @see docs/entries.md#leverage-and-margin-mode
 */
export function leverageOf({ holding, lowered }: PairState, { kind }: Intent): LeverageData {
  const { leverage } = holding;
  if (kind !== 'entry' || (leverage === 1 && lowered === null)) return {};
  return { leverage, askedLeverage: lowered?.leverage === leverage ? lowered.asked : leverage };
}

/** A finished intent as a trade record. @see docs/accounting.md#trade-record */
function tradeData(pair: PairState, intent: Intent): Note['data'] {
  const market = pair.market as Market;
  const average = intent.filled > 0 ? mulDiv(intent.notional, powerOfTen(market.assetDecimals), intent.filled) : 0;
  return {
    ...intentData(pair, intent),
    openedAt: intent.openedAt,
    filled: formatUnits(intent.filled, market.assetDecimals),
    averagePrice: formatUnits(average),
    firstPrice: formatUnits(intent.firstPrice),
    slippagePercent: slippagePercent(intent.side, intent.firstPrice, average),
    feeAsset: intent.feeAsset,
    fee: formatUnits(intent.fee, feeDecimals(market, intent.feeAsset)),
    feeQuote: formatUnits(intent.feeQuote),
    realised: intent.kind === 'exit' ? formatUnits(intent.realised) : null,
  };
}

/** Distance of the average price from the first price in percent; adverse is positive. @see docs/accounting.md#trade-record */
export function slippagePercent(side: 'buy' | 'sell', firstPrice: number, average: number): number {
  if (firstPrice === 0 || average === 0) return 0;
  const moved = (100 * (average - firstPrice)) / firstPrice;
  const adverse = side === 'buy' ? moved : -moved;
  return adverse === 0 ? 0 : adverse;
}

function closedData(pair: PairState, position: Position, entry: number, left: number): Note['data'] {
  const { entryNotional } = pair.holding;
  return {
    position: positionName(position),
    direction: position.direction === 1 ? 'long' : 'short',
    openedAt: position.openedAt,
    entryPrice: formatUnits(entry),
    net: formatUnits(position.realised),
    fees: formatUnits(position.feeQuote),
    returnPercent: entryNotional === 0 ? 0 : (100 * position.realised) / entryNotional,
    dust: formatUnits(left, (pair.market as Market).assetDecimals),
  };
}
