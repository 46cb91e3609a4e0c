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

/** The committed state of one bot and the exchange's data of it, read independently of the bot host. */
export interface Books {
  readonly journal: readonly JournalEntry[];
  /** Contains the fills of the bot's orders, from the exchange's list. */
  readonly trades: readonly OwnFill[];
  /** The market of the bot's pair; null before the bot has loaded it. */
  readonly market: Market | null;
  /** True if the pair is a future. */
  readonly future: boolean;
  /** Committed cash in 1e-8 units; `held` is the committed holding, negative when short. */
  readonly cash: bigint;
  readonly held: bigint;
  /** Average entry price of the holding. */
  readonly entry: Price;
  /** The exchange's statement of a future; null on spot, and when it was not requested. */
  readonly statement: MarginStatement | null;
  /** Number of unfinished parent orders, without protective stops. */
  readonly unfinished: number;
  /** Contains the bot's open orders at the exchange, without protective stops. */
  readonly openOrders: readonly string[];
  /** Contains the faults of the positions' protective stops. */
  readonly stops: readonly string[];
}

type MarginStatement = Awaited<ReturnType<typeof marginStatement>>;

/** Reads the journal and the trades of one bot; each read continues after the previous one. */
export interface Auditor {
  /** @param statement reads the statement of futures too, whose request weight is high */
  read(statement?: 'with statement'): Promise<Books>;
  /** Counts the `unfinished` parent orders of the books without a request to the exchange. */
  countUnfinished(): Promise<number>;
}

/** @param bot its ID, its one pair and its start capital */
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
  const countUnfinished = () => {
    const trading = withoutStops(journal);
    const count = (kind: string) => trading.filter((entry) => entry.kind === kind).length;
    return count('intent') - count('intent_end');
  };

  /** @returns the newest snapshot */
  async function readJournal(): Promise<string> {
    // One SQL statement reads the snapshot and its number, so that both are consistent.
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

  /** Reads the incomes after the last one known. A full read would use up the request weight that the bots need. */
  async function allIncomes(margin: MarginAccount): Promise<OwnIncome[]> {
    const last = [...incomes.values()].at(-1)?.at ?? firstOf([...trades.values()]);
    for (const income of await margin.incomes(last)) incomes.set(`${income.type}/${income.id}`, income);
    return [...incomes.values()];
  }

  return {
    async read(wanted) {
      // The exchange is read before the journal: the bot may know more than the exchange's list shows here, never less.
      const listed = await owner.ownTrades(bot.pair, cursor);
      for (const fill of listed) if (fill.clientOrderId.startsWith(prefix)) trades.set(fill.id, fill);
      const newest = listed.at(-1);
      if (newest) cursor = { at: newest.at, id: newest.id };
      const statement =
        owner.margin !== null && wanted === 'with statement'
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
        unfinished: countUnfinished(),
        openOrders: own.filter((order) => !isStop(order)).map(({ clientOrderId }) => clientOrderId),
        // The snapshot has the format in which the host saved it.
        stops: stopFaults(JSON.parse(saved) as LiveState, own),
      };
    },
    async countUnfinished() {
      await readJournal();
      return countUnfinished();
    },
  };
}

/** Returns the violations of the invariants that hold at every moment, whatever was killed. */
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
    'the journal has a gap',
  );
  const fills = fillsOf(journal);
  claim(new Set(fills.map(({ id }) => id)).size === fills.length, 'a fill is booked twice');
  const intents = journal.filter(({ kind }) => kind === 'intent').map(({ data }) => data.id);
  claim(new Set(intents).size === intents.length, 'a parent order is journalled twice');
  const journalled = new Set(
    journal.filter(({ kind }) => kind === 'order').map(({ data }) => String(data.clientOrderId)),
  );
  // The journal may have been read just before the last trade, so that trade may be missing in it.
  claim(
    trades.every(({ clientOrderId }) => journalled.has(clientOrderId)),
    'an order that was never journalled has traded',
  );
  const booked = future ? marginBooks(capital, journal) : spotBooks(capital, fills, pair);
  claim(booked.cash === cash, `cash is ${cash}, the journal makes ${booked.cash}`);
  claim(booked.held === held, `held is ${held}, the journal makes ${booked.held}`);
  // The fills of a parent order never exceed its final quantity. An exit may raise its quantity, so only its end is checked.
  const filled = new Map<string, bigint>();
  for (const { intent, quantity } of fills) filled.set(intent, (filled.get(intent) ?? 0n) + units(quantity));
  for (const { kind, data } of journal) {
    if (!(kind === 'intent' && data.kind === 'entry') && kind !== 'intent_end') continue;
    const total = filled.get(String(data.id)) ?? 0n;
    claim(total <= units(String(data.quantity)), `intent ${data.id} filled ${total} of ${data.quantity}`);
  }
  // Only the bot trades this future, but the account held coins of spot before.
  const surprising = ['adjust', 'transfer', 'late_fill', ...(future ? ['foreign', 'leverage'] : [])];
  const surprises = journal.filter(({ kind, data }) => kind === 'external' && surprising.includes(String(data.what)));
  claim(surprises.length === 0, `unexpected external changes: ${JSON.stringify(surprises.map(({ data }) => data))}`);
  return wrong;
}

function spotBooks(capital: string, fills: readonly JournalFill[], pair: string) {
  const { cash, held } = statementOf(capital, fills);
  return { cash, held: held.get(pair) ?? 0n };
}

/**
 * Returns the violations of the invariants that hold once the bot has processed all events. @see docs/invariants.md#orders,
 * I-25
 */
export function faultsWhenSettled(books: Books, capital: string): string[] {
  const { journal, trades, market, future, cash, held, openOrders, unfinished, stops, statement } = books;
  const wrong: string[] = [...stops];
  if (unfinished > 0) wrong.push(`${unfinished} parent orders have not finished`);
  if (openOrders.length > 0) wrong.push(`orders are still open: ${openOrders.join(' ')}`);
  if (market === null) return wrong;
  const booked = new Map(fillsOf(journal).map((fill) => [fill.id, fill]));
  const expected = new Map(trades.map((fill) => [fill.id, asBooked(fill, market)]));
  const compared = ['side', 'price', 'quantity', 'fee', ...(future ? (['realised'] as const) : [])] as const;
  for (const [id, fill] of expected) {
    const own = booked.get(id);
    if (own === undefined) wrong.push(`fill ${id} of the exchange is lost`);
    else if (compared.some((field) => own[field] !== fill[field])) {
      wrong.push(`fill ${id} is ${JSON.stringify(fill)}: ${JSON.stringify(own)}`);
    }
  }
  for (const id of booked.keys()) if (!expected.has(id)) wrong.push(`fill ${id} is not the exchange's`);
  const theirs = future ? positionOf(statement, market) : spotBooks(capital, [...expected.values()], market.pair);
  if (theirs.cash !== cash) wrong.push(`cash is ${cash}, the exchange's statement makes ${theirs.cash}`);
  if (theirs.held !== held) wrong.push(`held is ${held}, the exchange's statement makes ${theirs.held}`);
  return statement === null ? wrong : [...wrong, ...marginFaults(books, statement)];
}

/** Checks that the entry price equals the exchange's, and that each funding payment is booked once. */
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

/** Returns cash and holding of the exchange's statement. Cash is null when the statement was not requested. */
function positionOf(statement: MarginStatement | null, market: Market) {
  const held = units(formatUnits(statement?.position?.quantity ?? 0, market.assetDecimals));
  return { cash: statement?.cash ?? null, held };
}

/** Converts a fill of the exchange's list to the format of the journal. */
function asBooked(fill: OwnFill, market: Market): JournalFill {
  const { at, pair, id, clientOrderId, side, feeAsset, liquidity, pnl = 0 } = fill;
  return {
    ...{ at, pair, id, side, feeAsset, liquidity, intent: clientOrderId.split('-')[1] ?? '' },
    price: formatUnits(fill.price),
    quantity: formatUnits(fill.quantity, market.assetDecimals),
    fee: formatUnits(fill.fee, feeDecimals(market, feeAsset)),
    // Only futures have this field; their fees are in the quote currency.
    realised: formatUnits(pnl - fill.fee),
  };
}
