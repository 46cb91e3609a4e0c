import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { Database } from '@heron/database/connect.ts';
import { averagePrice } from '@heron/engine/ledger/holding.ts';
import type { LiveState } from '@heron/engine/live/liveState.ts';
import type { OwnFill, OwnIncome, TradeCursor } from '@heron/engine/live/report.ts';
import type { Market } from '@heron/engine/market/market.ts';
import { formatUnits, type Price } from '@heron/engine/money/units.ts';
import { restoreSession } from '@heron/engine/paper/paperSession.ts';
import { feeDecimals } from '@heron/engine/session/journal.ts';
import type { MarginAccount, TradingExchange } from '@heron/exchanges/trading.ts';
import {
  fillsOf,
  firstOf,
  fundingsOf,
  type JournalFill,
  marginBooks,
  marginStatement,
  statementOf,
  units,
} from '../system/statement.ts';
import { isStop, stopFaults, withoutStops } from '../system/stops.ts';

/** What one bot has committed and what the exchange says of it, read apart from the bot host. */
export interface Books {
  readonly journal: readonly JournalEntry[];
  /** Fills of its orders by the exchange's own list. */
  readonly trades: readonly OwnFill[];
  /** Of its pair; null before the bot knows it. */
  readonly market: Market | null;
  /** The pair is a future. */
  readonly future: boolean;
  /** Cash in 1e-8, and what is held of its pair, negative when short, as committed. */
  readonly cash: bigint;
  readonly held: bigint;
  /** What one of what is held cost on average. */
  readonly entry: Price;
  /** What the exchange says of a future beside its trades; null on spot, and where it was not asked for. */
  readonly statement: MarginStatement | null;
  /** Intents that have not ended, stops at the exchange aside. */
  readonly atWork: number;
  /** Its orders that rest at the exchange, stops aside. */
  readonly resting: readonly string[];
  /** What is wrong with the stops of its positions. */
  readonly stops: readonly string[];
}

type MarginStatement = Awaited<ReturnType<typeof marginStatement>>;

/** Reads one bot's books; what was read before is not read again. */
export interface Auditor {
  /** @param statement of futures too, which is much to ask of an exchange */
  read(statement?: 'with statement'): Promise<Books>;
  /** The same number as in the books, without asking the exchange. */
  atWork(): Promise<number>;
}

/** @param bot its id, its one pair and its start capital */
export function auditorOf(
  bot: { readonly id: string; readonly pair: string; readonly capital: string },
  database: Database,
  owner: TradingExchange,
): Auditor {
  const journal: JournalEntry[] = [];
  const trades = new Map<string, OwnFill>();
  const incomes = new Map<string, OwnIncome>();
  const prefix = `${bot.id}-`;
  let cursor: TradeCursor = { at: Date.now() - 60_000, id: '' };
  const query = async <Row>(sql: string, values: unknown[]) => (await database.pool.query(sql, values)).rows as Row[];
  const atWork = () => {
    const trading = withoutStops(journal);
    const count = (kind: string) => trading.filter((entry) => entry.kind === kind).length;
    return count('intent') - count('intent_end');
  };

  /** @returns the newest snapshot */
  async function readJournal(): Promise<string> {
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
    return saved?.session as string;
  }

  /** The list is long, and what it weighs is taken from what the bots may ask: it is read on from its end. */
  async function allIncomes(margin: MarginAccount): Promise<OwnIncome[]> {
    const last = [...incomes.values()].at(-1)?.at ?? firstOf([...trades.values()]);
    for (const income of await margin.incomes(last)) incomes.set(`${income.type}/${income.id}`, income);
    return [...incomes.values()];
  }

  return {
    async read(asked) {
      // The exchange first: what it has the bot may have too, never the other way round.
      const told = await owner.ownTrades(bot.pair, cursor);
      for (const fill of told) if (fill.clientOrderId.startsWith(prefix)) trades.set(fill.id, fill);
      const newest = told.at(-1);
      if (newest) cursor = { at: newest.at, id: newest.id };
      const statement =
        owner.margin !== null && asked === 'with statement'
          ? await marginStatement(
              owner.margin,
              bot.pair,
              bot.capital,
              [...trades.values()],
              await allIncomes(owner.margin),
            )
          : null;
      const open = await owner.openOrders([bot.pair]);
      const own = open.filter(({ clientOrderId }) => clientOrderId.startsWith(prefix));
      const saved = await readJournal();
      const { state } = restoreSession(saved);
      const pair = state.bot.pairs.find((candidate) => candidate.pair === bot.pair);
      const market = pair?.market ?? null;
      const { side, quantity, cost } = pair?.holding ?? { side: 1, quantity: 0, cost: 0 };
      return {
        journal,
        trades: [...trades.values()],
        ...{ market, statement, future: owner.margin !== null },
        cash: BigInt(state.bot.wallet.quote),
        held: units(formatUnits(side * quantity, market?.assetDecimals)),
        entry: market === null || quantity === 0 ? 0 : averagePrice(market, cost, quantity),
        atWork: atWork(),
        resting: own.filter((order) => !isStop(order)).map(({ clientOrderId }) => clientOrderId),
        // As the host saved it.
        stops: stopFaults(JSON.parse(saved) as LiveState, own),
      };
    },
    async atWork() {
      await readJournal();
      return atWork();
    },
  };
}

/** What must hold at every moment, whatever was killed; each line names what does not. */
export function faultsAtAnyTime(
  { journal, trades, future, cash, held }: Books,
  capital: string,
  pair: string,
): string[] {
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
  const booked = future ? marginBooks(capital, journal) : spotBooks(capital, fills, pair);
  claim(booked.cash === cash, `cash is ${cash}, the journal makes ${booked.cash}`);
  claim(booked.held === held, `held is ${held}, the journal makes ${booked.held}`);
  // What an intent filled over its whole life is never more than it wanted; an exit may come to want more.
  const filled = new Map<string, bigint>();
  for (const { intent, quantity } of fills) filled.set(intent, (filled.get(intent) ?? 0n) + units(quantity));
  for (const { kind, data } of journal) {
    if (!(kind === 'intent' && data.kind === 'entry') && kind !== 'intent_end') continue;
    const total = filled.get(String(data.id)) ?? 0n;
    claim(total <= units(String(data.quantity)), `intent ${data.id} filled ${total} of ${data.quantity}`);
  }
  // Of a future nobody else has anything; coins the account had before.
  const surprising = ['adjust', 'transfer', 'late_fill', ...(future ? ['foreign', 'leverage'] : [])];
  const surprises = journal.filter(({ kind, data }) => kind === 'external' && surprising.includes(String(data.what)));
  claim(surprises.length === 0, `told as an external change: ${JSON.stringify(surprises.map(({ data }) => data))}`);
  return wrong;
}

function spotBooks(capital: string, fills: readonly JournalFill[], pair: string) {
  const { cash, held } = statementOf(capital, fills);
  return { cash, held: held.get(pair) ?? 0n };
}

/** What must hold as well once the bot has heard of everything. @see docs/invariants.md#orders, I-25 */
export function faultsWhenSettled(books: Books, capital: string): string[] {
  const { journal, trades, market, future, cash, held, resting, atWork, stops, statement } = books;
  const wrong: string[] = [...stops];
  if (atWork > 0) wrong.push(`${atWork} intents have not ended`);
  if (resting.length > 0) wrong.push(`orders rest: ${resting.join(' ')}`);
  if (market === null) return wrong;
  const booked = new Map(fillsOf(journal).map((fill) => [fill.id, fill]));
  const told = new Map(trades.map((fill) => [fill.id, asBooked(fill, market)]));
  const compared = ['side', 'price', 'quantity', 'fee', ...(future ? (['realised'] as const) : [])] as const;
  for (const [id, fill] of told) {
    const own = booked.get(id);
    if (own === undefined) wrong.push(`fill ${id} of the exchange is lost`);
    else if (compared.some((field) => own[field] !== fill[field])) {
      wrong.push(`fill ${id} is ${JSON.stringify(fill)}: ${JSON.stringify(own)}`);
    }
  }
  for (const id of booked.keys()) if (!told.has(id)) wrong.push(`fill ${id} is not the exchange's`);
  const theirs = future ? positionOf(statement, market) : spotBooks(capital, [...told.values()], market.pair);
  if (theirs.cash !== cash) wrong.push(`cash is ${cash}, the exchange's statement makes ${theirs.cash}`);
  if (theirs.held !== held) wrong.push(`held is ${held}, the exchange's statement makes ${theirs.held}`);
  return statement === null ? wrong : [...wrong, ...marginFaults(books, statement)];
}

/** A position is that of the exchange in its entry price too, and each payment of funding is booked once. */
function marginFaults({ journal, entry }: Books, { incomes, position }: MarginStatement): string[] {
  const wrong: string[] = [];
  const theirs = position?.entryPrice ?? 0;
  if (theirs !== entry) wrong.push(`the entry price is ${entry}, the exchange's ${theirs}`);
  const sorted = (amounts: readonly bigint[]) => amounts.map(String).sort().join(' ');
  const paid = sorted(incomes.map(({ amount }) => BigInt(amount)));
  const booked = sorted(fundingsOf(journal));
  if (booked !== paid) wrong.push(`funding is ${booked}, the exchange's list has ${paid}`);
  return wrong;
}

/** Cash and holding as the exchange says; nothing of it is there where it was not asked for. */
function positionOf(statement: MarginStatement | null, market: Market) {
  const held = units(formatUnits(statement?.position?.quantity ?? 0, market.assetDecimals));
  return { cash: statement?.cash ?? null, held };
}

/** A fill of the exchange's list in the words of the journal. */
function asBooked(fill: OwnFill, market: Market): JournalFill {
  const { at, pair, id, clientOrderId, side, feeAsset, liquidity, pnl = 0 } = fill;
  return {
    ...{ at, pair, id, side, feeAsset, liquidity, intent: clientOrderId.split('-')[1] ?? '' },
    price: formatUnits(fill.price),
    quantity: formatUnits(fill.quantity, market.assetDecimals),
    fee: formatUnits(fill.fee, feeDecimals(market, feeAsset)),
    // Of futures, whose fees are in the currency.
    realised: formatUnits(pnl - fill.fee),
  };
}
