import type { trade } from '@heron/database/schema/bots.ts';
import type { PairState } from '@heron/engine/bot/state.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, mulDiv } from '@heron/engine/money/units.ts';
import type { Intent } from '@heron/engine/orders/intent.ts';
import type { BotSession } from '@heron/engine/simulate/botSession.ts';
import { feeDecimals, type Note, slippagePercent } from '@heron/engine/simulate/journal.ts';

export type TradeRow = typeof trade.$inferInsert;

/**
 * The trades that a batch of notes began, continued or ended: from the note that ends an intent, or else from the intent
 * itself while it goes on. Intents without fills make no trade.
 *
 * @see accounting.md 6, "Trade record"
 */
export function tradeRows(session: BotSession, notes: readonly Note[]): TradeRow[] {
  const botId = session.state.bot.id;
  const rows = new Map<string, TradeRow>();
  for (const { kind, pair, at, data } of notes) {
    if (pair === null) continue;
    if (kind === 'fill') {
      const row = workingTrade(session, botId, String(data.intent));
      if (row) rows.set(row.id, row);
    } else if (kind === 'intent_end' && data.filled !== '0') {
      rows.set(String(data.id), endedTrade(botId, pair, at, data));
    }
  }
  return [...rows.values()];
}

function workingTrade(session: BotSession, botId: string, id: string): TradeRow | null {
  for (const pair of session.state.bot.pairs) {
    for (const intent of [pair.entry, pair.exit, pair.stop, ...pair.rungs]) {
      if (intent !== null && `${intent.id}` === id && pair.market !== null)
        return rowOf(botId, pair, pair.market, intent);
    }
  }
  return null;
}

function rowOf(botId: string, pair: PairState, market: Market, intent: Intent): TradeRow {
  const average = intent.filled > 0 ? mulDiv(intent.notional, 10 ** market.assetDecimals, intent.filled) : 0;
  return {
    botId,
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
  };
}

function endedTrade(botId: string, pair: string, at: number, data: Note['data']): TradeRow {
  return {
    botId,
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
  };
}
