import type { JournalEntry } from '@heron/contract/bots/entities.ts';
import type { OwnFill, OwnIncome } from '@heron/engine/live/report.ts';
import type { MarginAccount } from '@heron/exchanges/trading.ts';
import type { BotHost } from './botHost.ts';

/** A fill in the format of the journal. */
export interface JournalFill {
  at: number;
  pair: string;
  id: string;
  intent: string;
  side: string;
  quantity: string;
  price: string;
  fee: string;
  feeAsset: string;
  liquidity: string;
  /** Booked realised PnL, net of fees. */
  realised: string;
}

/** Returns the whole journal of a bot, oldest first. */
export async function wholeJournal(host: BotHost, id: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  let before = '';
  for (;;) {
    const { body } = await host.call<{ entries: JournalEntry[]; next: number | null }>(
      'GET',
      `/bot/bots/${id}/journal?limit=500${before}`,
    );
    entries.push(...body.entries);
    if (body.next === null) return entries.reverse();
    before = `&before=${body.next}`;
  }
}

/** Returns the fills among journal entries. */
export function fillsOf(entries: readonly Pick<JournalEntry, 'at' | 'pair' | 'kind' | 'data'>[]): JournalFill[] {
  return entries
    .filter(({ kind }) => kind === 'fill')
    .map(({ at, pair, data }) => ({
      at,
      pair: String(pair),
      id: String(data.id),
      intent: String(data.intent),
      side: String(data.side),
      quantity: String(data.quantity),
      price: String(data.price),
      fee: String(data.fee),
      feeAsset: String(data.feeAsset),
      liquidity: String(data.liquidity),
      realised: String(data.realised),
    }));
}

/** Converts a decimal to exact 1e-8 units. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}

/**
 * Computes the result of one future from the exchange's data: PnL and fees of each trade, other incomes, and the position.
 *
 * @param trades trades of this pair
 * @param incomes incomes of the account since the first of the trades
 */
export async function marginStatement(
  margin: MarginAccount,
  pair: string,
  start: string,
  trades: readonly OwnFill[],
  incomes: readonly OwnIncome[],
) {
  const own = incomes.filter((income) => income.pair === pair);
  const earned = trades.reduce((sum, { pnl = 0, fee }) => sum + BigInt(pnl) - BigInt(fee), 0n);
  const cash = units(start) + earned + own.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const position = (await margin.positions()).find((held) => held.pair === pair) ?? null;
  return { cash, incomes: own, position };
}

/** Returns the time of the first of these trades in ms; the current time when there is none. */
export function firstOf(trades: readonly OwnFill[]): number {
  return trades.reduce((first, { at }) => Math.min(first, at), Date.now());
}

/** Returns cash and signed holding of a future, as the bot's journal booked them. @param start start capital */
export function marginBooks(start: string, journal: readonly JournalEntry[]) {
  const fills = fillsOf(journal);
  const paid = fundingsOf(journal).reduce((sum, amount) => sum + amount, 0n);
  const cash = fills.reduce((sum, { realised }) => sum + units(realised), units(start)) + paid;
  const held = fills.reduce((sum, { side, quantity }) => sum + (side === 'buy' ? 1n : -1n) * units(quantity), 0n);
  return { cash, held };
}

/** Returns the amount of each booked funding payment. */
export function fundingsOf(journal: readonly JournalEntry[]): bigint[] {
  return journal.filter(({ kind }) => kind === 'funding').map(({ data }) => units(String(data.amount)));
}

/**
 * Computes cash and holdings from fills alone, in 1e-8, independently of the engine's ledger.
 *
 * @param start start capital
 */
export function statementOf(start: string, fills: readonly JournalFill[]) {
  let cash = units(start);
  const held = new Map<string, bigint>();
  for (const fill of fills) {
    const [asset = ''] = fill.pair.split('-');
    // Half units round up, as in every order value.
    const value = (units(fill.price) * units(fill.quantity) + 50_000_000n) / 100_000_000n;
    const sign = fill.side === 'buy' ? 1n : -1n;
    cash -= sign * value;
    held.set(fill.pair, (held.get(fill.pair) ?? 0n) + sign * units(fill.quantity));
    if (fill.feeAsset === asset) held.set(fill.pair, (held.get(fill.pair) ?? 0n) - units(fill.fee));
    else cash -= units(fill.fee);
  }
  return { cash, held };
}
