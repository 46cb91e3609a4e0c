import type { trade } from '@heron/database/schema/bots.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, mulDiv } from '@heron/engine/money/units.ts';
import type { BotSession } from '@heron/engine/session/botSession.ts';
import { feeDecimals, leverageOf, type Note, slippagePercent } from '@heron/engine/session/journal.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import type { ParentOrder } from '@heron/engine/state/parentOrder.ts';

export type TradeRow = typeof trade.$inferInsert;

/** The columns that identify a bot and its venue. */
type OfBot = Pick<TradeRow, 'botId' | 'venue'>;

/**
 * Returns the trades that a batch of notes began, continued or ended. The row of an ended trade comes from the note that ends
 * its parent order, any other row from the parent order itself. A parent order without fills makes no trade.
 *
 * @see docs/accounting.md#trade-record
 */
export function tradeRows(session: BotSession, notes: readonly Note[]): TradeRow[] {
  const { id: botId, options } = session.state.bot;
  const of = { botId, venue: options.exchange };
  const rows = new Map<string, TradeRow>();
  for (const { kind, pair, at, data } of notes) {
    if (pair === null) continue;
    if (kind === 'fill') {
      const row = workingTrade(session, of, String(data.intent));
      if (row) rows.set(row.id, row);
    } else if (kind === 'intent_end' && data.filled !== '0') {
      rows.set(String(data.id), endedTrade(of, pair, at, data));
    }
  }
  return [...rows.values()];
}

function workingTrade(session: BotSession, of: OfBot, id: string): TradeRow | null {
  for (const pair of session.state.bot.pairs) {
    for (const intent of [pair.entry, pair.exit, pair.stop, ...pair.planOrders]) {
      if (intent !== null && `${intent.id}` === id && pair.market !== null) return rowOf(of, pair, pair.market, intent);
    }
  }
  return null;
}

function rowOf(of: OfBot, pair: PairState, market: Market, intent: ParentOrder): TradeRow {
  const average = intent.filled > 0 ? mulDiv(intent.notional, 10 ** market.assetDecimals, intent.filled) : 0;
  return {
    ...of,
    id: `${intent.id}`,
    pair: pair.pair,
    kind: intent.kind,
    side: intent.side,
    reason: intent.reason,
    openedAt: intent.openedAt,
    closedAt: null,
    quantity: formatUnits(intent.filled, market.assetDecimals),
    averagePrice: formatUnits(average),
    firstPrice: formatUnits(intent.firstPrice),
    slippagePercent: slippagePercent(intent.side, intent.firstPrice, average),
    fee: formatUnits(intent.fee, feeDecimals(market, intent.feeAsset)),
    feeAsset: intent.feeAsset,
    feeQuote: formatUnits(intent.feeQuote),
    realised: intent.kind === 'exit' ? formatUnits(intent.realised) : null,
    ...leverageColumns(leverageOf(pair, intent)),
  };
}

function endedTrade(of: OfBot, pair: string, at: number, data: Note['data']): TradeRow {
  return {
    ...of,
    id: String(data.id),
    pair,
    kind: String(data.kind),
    side: String(data.side),
    reason: String(data.reason),
    openedAt: Number(data.openedAt),
    closedAt: at,
    quantity: String(data.filled),
    averagePrice: String(data.averagePrice),
    firstPrice: String(data.firstPrice),
    slippagePercent: Number(data.slippagePercent),
    fee: String(data.fee),
    feeAsset: String(data.feeAsset),
    feeQuote: String(data.feeQuote),
    realised: data.realised == null ? null : String(data.realised),
    ...leverageColumns(data),
  };
}

function leverageColumns({ leverage, askedLeverage }: Note['data']): Pick<TradeRow, 'leverage' | 'askedLeverage'> {
  return {
    leverage: leverage == null ? null : Number(leverage),
    askedLeverage: askedLeverage == null ? null : Number(askedLeverage),
  };
}
