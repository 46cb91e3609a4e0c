import type { BotFigures, ResultSource } from '@heron/contract/bots/entities.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { exact, formatUnits, parseUnits, type Quote } from '@heron/engine/money/units.ts';
import type { PairState } from '@heron/engine/state/botState.ts';
import type { StoredBot } from './botStore.ts';
import { type Month, monthsOf } from './monthsOf.ts';
import { readSaved } from './savedBot.ts';

interface Figures {
  trades: number;
  wins: number;
  losses: number;
  net: Quote;
  fees: Quote;
  slippage: Quote;
}

/**
 * Attributes the realised PnL of a bot to pairs, reasons and months. It adds up the amounts in the journal. PnL without an amount
 * in the journal, such as that of an external change, counts as `external`. Every list therefore adds up to the ledger.
 *
 * @param zone time zone of the user, an IANA name
 * @throws CallError `invalid_request` when there is no such zone
 * @see docs/accounting.md#figures-of-a-bot
 */
export async function botFigures({ pool }: Database, stored: StoredBot, zone: string): Promise<BotFigures> {
  const { row, seq } = stored;
  const { id } = row;
  const { session, unreadable } = readSaved(row, stored.session);
  const [{ rows: booked }, { rows: begun }] = await Promise.all([
    pool.query<BookedRow>(`with ${MONEY} ${BOOKED}`, [id, seq]),
    pool.query<{ at: string }>(`with ${BEGAN} select at from began`, [id]),
  ]);
  const first = booked.reduce((min, { first: at }) => Math.min(min, Number(at)), Number.POSITIVE_INFINITY);
  const last = booked.reduce((max, { last: at }) => Math.max(max, Number(at)), 0);
  const none = booked.length === 0;
  const months = monthsOf(none ? 0 : first, none ? 0 : last, zone);
  if (months === null) throw new CallError('invalid_request', { reason: 'zone' });
  const starts = months.map(({ from }) => from);
  const rows = none ? [] : (await pool.query<FigureRow>(`with ${MONEY} ${FIGURES}`, [id, seq, starts])).rows;
  const breakdown = breakdownOf(rows, months);
  // The ledger of an unreadable bot is unknown, so only its journal counts.
  if (unreadable === null) addExternal(breakdown, session.state.bot.pairs, booked, last);
  const { pairs, reasons, byMonth } = breakdown;
  return {
    since: Number(begun[0]?.at ?? 0) || null,
    currency: session.state.bot.options.product_currency.toUpperCase(),
    realised: formatUnits([...pairs.values()].reduce((sum, { net }) => exact(sum + net), 0)),
    pairs: sorted(pairs).map(([pair, of]) => ({ pair, ...shownFigure(of), ...closedOf(of) })),
    // The engine writes only reasons that the contract lists.
    reasons: sorted(reasons).map(([reason, of]) => ({ reason: reason as ResultSource, ...shownFigure(of) })),
    months: [...byMonth]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([month, of]) => ({ month, ...shownFigure(of), ...closedOf(of) })),
  };
}

/** The figures of a bot by pair, reason and month. */
interface Breakdown {
  readonly months: readonly Month[];
  readonly pairs: Map<string, Figures>;
  readonly reasons: Map<string, Figures>;
  /** By the name of the month. */
  readonly byMonth: Map<string, Figures>;
}

interface BookedRow {
  readonly pair: string;
  readonly net: string;
  readonly first: string;
  readonly last: string;
  /** Time of the newest `external` entry, ms since 1970. */
  readonly outside: string | null;
}

interface FigureRow {
  readonly kind: 'pair' | 'reason' | 'month';
  /** Pair, reason, or index of the month in the list. */
  readonly name: string;
  readonly trades: string;
  readonly wins: string;
  readonly losses: string;
  readonly net: string;
  readonly fees: string;
  readonly slippage: string;
}

/** Selects the journal entry that began the bot's current account; zeros for the first account. */
const BEGAN = `
  began as (
    select coalesce(max(seq), 0) as seq, coalesce(max(at), 0) as at from bots.journal
    where bot_id = $1 and kind = 'command' and data ->> 'acts' = 'flat_reload'
  )`;

/** Selects the journal entries of the bot's current account that contribute to the figures. */
const MONEY = `
  ${BEGAN}, entries as (
    select line.pair, line.at, line.kind, line.data,
      coalesce(case line.kind
        when 'funding' then data ->> 'amount'
        when 'fill' then data ->> 'realised'
        when 'liquidation' then data ->> 'realised'
      end, '0')::numeric as net
    from bots.journal as line, began
    where line.bot_id = $1 and line.seq > began.seq and line.seq <= $2 and line.pair is not null
      and line.kind in ('fill', 'funding', 'liquidation', 'position_closed', 'external')
  )`;

const BOOKED = `
  select pair, sum(net)::text as net,
    min(at) as first, max(at) as last, max(at) filter (where kind = 'external') as outside
  from entries group by pair`;

const FIGURES = `
  , money as (
    select pair, at, net,
      case kind when 'fill' then data ->> 'reason' else kind end as reason,
      coalesce(case kind when 'fill' then data ->> 'feeQuote' else data ->> 'fee' end, '0')::numeric as fees
    from entries where kind in ('fill', 'funding', 'liquidation')
  ), counted as (
    select pair, at, reason, net, fees, 0 as slippage, 0 as trades, 0 as wins, 0 as losses from money
    union all
    select pair, at, null, 0, 0, 0, 0, ((data ->> 'net')::numeric > 0)::int, ((data ->> 'net')::numeric < 0)::int
    from entries where kind = 'position_closed'
    union all
    select trade.pair, coalesce(trade.closed_at, trade.opened_at), trade.reason, 0, 0,
      case when trade.first_price::numeric > 0 then (case trade.side when 'buy' then 1 else -1 end)
        * (trade.average_price::numeric - trade.first_price::numeric) * trade.quantity::numeric else 0 end,
      1, 0, 0
    from bots.trades as trade, began where trade.bot_id = $1 and trade.opened_at >= began.at
  ), placed as (
    select *, greatest(width_bucket(at, $3::bigint[]) - 1, 0) as month from counted
  )
  select
    case when grouping(pair) = 0 then 'pair' when grouping(reason) = 0 then 'reason' else 'month' end as kind,
    coalesce(pair, reason, month::text) as name,
    sum(trades) as trades, sum(wins) as wins, sum(losses) as losses,
    sum(net)::text as net, sum(fees)::text as fees, round(sum(slippage), 8)::text as slippage
  from placed group by grouping sets ((pair), (reason), (month))
  having not (grouping(reason) = 0 and reason is null)`;

function breakdownOf(rows: readonly FigureRow[], months: readonly Month[]): Breakdown {
  const pairs = new Map<string, Figures>();
  const reasons = new Map<string, Figures>();
  const byMonth = new Map<string, Figures>();
  for (const row of rows) {
    if (row.kind === 'pair') pairs.set(row.name, figuresOf(row));
    else if (row.kind === 'reason') reasons.set(row.name, figuresOf(row));
    else byMonth.set((months[Number(row.name)] ?? months.at(-1))?.name ?? '', figuresOf(row));
  }
  return { months, pairs, reasons, byMonth };
}

/**
 * Adds the PnL of the ledger that has no amount in the journal, as `external`.
 *
 * @param last time of the newest journal entry of any pair, ms since 1970
 */
function addExternal(
  { months, pairs, reasons, byMonth }: Breakdown,
  ledger: readonly PairState[],
  booked: readonly BookedRow[],
  last: number,
): void {
  for (const { pair, holding } of ledger) {
    const known = booked.find((row) => row.pair === pair);
    const rest = exact(holding.realised - units(known?.net ?? '0'));
    if (rest === 0) continue;
    const at = Number(known?.outside ?? known?.last ?? last);
    const month = months.findLast(({ from }) => from <= at) ?? months[0];
    for (const each of [entryOf(pairs, pair), entryOf(reasons, 'external'), entryOf(byMonth, month?.name ?? '')]) {
      each.net = exact(each.net + rest);
    }
  }
}

function figuresOf(row: FigureRow): Figures {
  const [trades, wins, losses] = [Number(row.trades), Number(row.wins), Number(row.losses)];
  return { trades, wins, losses, net: units(row.net), fees: units(row.fees), slippage: units(row.slippage) };
}

function units(text: string): Quote {
  const read = parseUnits(text);
  if (read === null) throw new RangeError(`${text} is no amount`);
  return read;
}

function entryOf(of: Map<string, Figures>, name: string): Figures {
  const found = of.get(name) ?? { trades: 0, wins: 0, losses: 0, net: 0, fees: 0, slippage: 0 };
  of.set(name, found);
  return found;
}

/** Sorts figures by net PnL, highest first. */
function sorted(of: Map<string, Figures>): [string, Figures][] {
  return [...of].sort(([a, { net: first }], [b, { net: second }]) => second - first || (a < b ? -1 : 1));
}

function shownFigure({ trades, net, fees, slippage }: Figures) {
  return { trades, net: formatUnits(net), fees: formatUnits(fees), slippage: formatUnits(slippage) };
}

function closedOf({ wins, losses }: Figures) {
  return { wins, losses };
}
