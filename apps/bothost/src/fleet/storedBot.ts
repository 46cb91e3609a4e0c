import type { BotDetail, CandleHistory } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import * as table from '@heron/database/schema/bots.ts';
import type { Period } from '@heron/engine/market/period.ts';
import { createPaperSession, feedSession } from '@heron/engine/paper/paperSession.ts';
import { candleHistory } from '@heron/engine/session/sessionView.ts';
import type { MarketFeed } from '@heron/exchanges/feed/feedTypes.ts';
import { eq } from 'drizzle-orm';
import type { BotRow } from '../store/botRow.ts';
import { savedDetail } from '../store/botView.ts';
import { readSaved } from '../store/savedBot.ts';
import { isActive } from '../store/status.ts';

/** Reads a bot of any worker with its saved session. @throws CallError `not_found` */
export async function readStoredBot({ orm }: Database, id: string): Promise<{ row: BotRow; session: string }> {
  const [stored] = await orm
    .select({ row: table.bot, session: table.snapshot.session })
    .from(table.bot)
    .innerJoin(table.snapshot, eq(table.snapshot.botId, table.bot.id))
    .where(eq(table.bot.id, id));
  if (!stored) throw new CallError('not_found');
  return stored;
}

/** Returns a bot as its saved state shows it. @throws CallError `not_found` */
export async function storedDetail(database: Database, id: string, now: number): Promise<BotDetail> {
  const { row, session } = await readStoredBot(database, id);
  const detail = savedDetail(row, readSaved(row, session), now);
  const starting = row.wanted === 'running' && !isActive(detail.status) && detail.status !== 'error';
  return starting ? { ...detail, status: 'preparing' } : detail;
}

/** Dependencies of the chart of a bot that does not run. */
export interface ChartDeps {
  readonly database: Database;
  readonly feed: MarketFeed;
  now(): number;
}

/** Returns the candles of a bot that does not run, with the series of its strategy on current candles. @throws CallError `not_found` */
export async function storedCandles(id: string, pair: string, deps: ChartDeps): Promise<CandleHistory> {
  const stored = await readStoredBot(deps.database, id);
  const { options, params } = readSaved(stored.row, stored.session).session.state.bot;
  const session = createPaperSession({ id, options, params });
  if (!session.state.bot.pairs.some((candidate) => candidate.pair === pair)) throw new CallError('not_found');
  const count = Math.min(options.keep_lookback_periods, Math.max(2 * session.bot.warmup, 100));
  const { market, history } = await deps.feed.history(pair, options.period as Period, count);
  feedSession(session, { type: 'history', at: deps.now(), market, candles: [...history] });
  const candles = candleHistory(session, pair);
  if (!candles) throw new CallError('not_found');
  return candles;
}
