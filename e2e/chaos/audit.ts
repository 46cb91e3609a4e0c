import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { Database } from '@heron/database/connect.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OwnFill, TradeCursor } from '@heron/engine/live/report.ts';
import { formatUnits } from '@heron/engine/money/units.ts';
import { restoreSession } from '@heron/engine/simulate/paperSession.ts';
import type { TradingExchange } from '@heron/exchanges/trading.ts';
import { fillsOf, statementOf, units } from '../system/statement.ts';
import { isStop, stopFaults, withoutStops } from '../system/stops.ts';

/** What one bot has committed and what the exchange says of it, read apart from the bot host. */
export interface Books {
  readonly journal: readonly JournalEntry[];
  /** Fills of its orders by the exchange's own list. */
  readonly trades: readonly OwnFill[];
  /** Cash in 1e-8, and what is held of its pair, as committed. */
  readonly cash: bigint;
  readonly held: bigint;
  /** Intents that have not ended, stops at the exchange aside. */
  readonly atWork: number;
  /** Its orders that rest at the exchange, stops aside. */
  readonly resting: readonly string[];
  /** What is wrong with the stops of its positions. */
  readonly stops: readonly string[];
}

/** Reads one bot's books; what was read before is not read again. */
export type Auditor = () => Promise<Books>;

/** @param bot its id and its one pair */
export function auditorOf(
  bot: { readonly id: string; readonly pair: string },
  database: Database,
  owner: TradingExchange,
): Auditor {
  const journal: JournalEntry[] = [];
  const trades = new Map<string, OwnFill>();
  const prefix = `${bot.id}-`;
  let cursor: TradeCursor = { at: Date.now() - 60_000, id: '' };
  const query = async <Row>(sql: string, values: unknown[]) => (await database.pool.query(sql, values)).rows as Row[];

  return async () => {
    // The exchange first: what it has the bot may have too, never the other way round.
    const told = await owner.ownTrades(bot.pair, cursor);
    for (const fill of told) if (fill.clientOrderId.startsWith(prefix)) trades.set(fill.id, fill);
    const newest = told.at(-1);
    if (newest) cursor = { at: newest.at, id: newest.id };
    const open = await owner.openOrders([bot.pair]);
    // The snapshot in the same statement as its number, so that both are of the same moment.
    const [saved] = await query<{ session: string; seq: string }>(
      'select session, seq from bots.snapshots where bot_id = $1',
      [bot.id],
    );
    const lines = await query<JournalEntry>(
      'select seq, at, pair, kind, data from bots.journal where bot_id = $1 and seq > $2 and seq <= $3 order by seq',
      [bot.id, journal.length, saved?.seq],
    );
    journal.push(...lines.map((line) => ({ ...line, seq: Number(line.seq), at: Number(line.at) })));
    const { state } = restoreSession(saved?.session as string);
    const pair = state.bot.pairs.find((candidate) => candidate.pair === bot.pair);
    const trading = withoutStops(journal);
    const of = (kind: string) => trading.filter((entry) => entry.kind === kind).length;
    const own = open.filter(({ clientOrderId }) => clientOrderId.startsWith(prefix));
    return {
      journal,
      trades: [...trades.values()],
      cash: BigInt(state.bot.wallet.quote),
      held: units(formatUnits(pair?.holding.quantity ?? 0, pair?.market?.assetDecimals)),
      atWork: of('intent') - of('intent_end'),
      resting: own.filter((order) => !isStop(order)).map(({ clientOrderId }) => clientOrderId),
      // As the host saved it.
      stops: stopFaults(JSON.parse(saved?.session as string) as LiveState, own),
    };
  };
}

/** What must hold at every moment, whatever was killed; each line names what does not. */
export function faultsAtAnyTime({ journal, trades, cash, held }: Books, capital: string, pair: string): string[] {
  const wrong: string[] = [];
  const claim = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what);
  };
  claim(
    journal.every(({ seq }, index) => seq === index + 1),
    'the journal has a hole',
  );
  const fills = fillsOf(journal);
  claim(new Set(fills.map(({ id }) => id)).size === fills.length, 'a fill is booked twice');
  const intents = journal.filter(({ kind }) => kind === 'intent').map(({ data }) => data.id);
  claim(new Set(intents).size === intents.length, 'an intent is there twice');
  const journalled = new Set(
    journal.filter(({ kind }) => kind === 'order').map(({ data }) => String(data.clientOrderId)),
  );
  // Its journal may have been read a moment before the last trade.
  claim(
    trades.every(({ clientOrderId }) => journalled.has(clientOrderId)),
    'an order that was never journalled has traded',
  );
  const statement = statementOf(capital, fills);
  claim(statement.cash === cash, `cash is ${cash}, the fills make ${statement.cash}`);
  claim((statement.held.get(pair) ?? 0n) === held, `held is ${held}, the fills make ${statement.held.get(pair)}`);
  // What an intent ordered over its whole life is never more than it wanted.
  for (const { data } of journal.filter(({ kind }) => kind === 'intent')) {
    const filled = fills.filter(({ intent }) => intent === String(data.id)).map(({ quantity }) => units(quantity));
    const total = filled.reduce((sum, quantity) => sum + quantity, 0n);
    if (data.quantity !== undefined) {
      claim(total <= units(String(data.quantity)), `intent ${data.id} filled ${total} of ${data.quantity}`);
    }
  }
  const surprises = journal.filter(
    ({ kind, data }) => kind === 'external' && ['adjust', 'transfer', 'late_fill'].includes(String(data.what)),
  );
  claim(surprises.length === 0, `told as an external change: ${JSON.stringify(surprises.map(({ data }) => data))}`);
  return wrong;
}

/** What must hold as well once the bot has heard of everything. */
export function faultsWhenSettled({ journal, trades, resting, atWork, stops }: Books): string[] {
  const wrong: string[] = [...stops];
  if (atWork > 0) wrong.push(`${atWork} intents have not ended`);
  if (resting.length > 0) wrong.push(`orders rest: ${resting.join(' ')}`);
  const booked = new Map(fillsOf(journal).map((fill) => [fill.id, fill]));
  for (const { id } of trades) if (!booked.has(id)) wrong.push(`fill ${id} of the exchange is lost`);
  const told = new Map(trades.map((fill) => [fill.id, fill]));
  for (const id of booked.keys()) if (!told.has(id)) wrong.push(`fill ${id} is not the exchange's`);
  return wrong;
}
