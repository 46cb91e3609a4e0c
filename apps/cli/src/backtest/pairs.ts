import type { PriceSource } from '@heron/contract/bots/backtestMoney.ts';
import type { BacktestPair } from '@heron/engine/backtest/backtestPair.ts';
import { mergeCandles, PERIODS, type Period } from '@heron/engine/market/period.ts';
import type { BotOptions } from '@heron/engine/options/table.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';
import { candleLength, clipCandles, loadCandles } from '../candles/candleFile.ts';
import { loadFunding } from '../candles/fundingFile.ts';
import { type StoreFlags, storedCandles } from '../candles/storedCandles.ts';
import { parseAssignments } from '../flags/assignments.ts';
import { BACKTEST_VENUE } from '../flags/botOptions.ts';
import { readInstant } from '../flags/instant.ts';
import { readNumber } from '../flags/number.ts';
import { onlyOf, parsePerPair, valueFor } from '../flags/perPair.ts';
import { marketFromCandles } from './candleMarket.ts';

/** Flags that name the pairs and the files of their candles. */
export interface PairFlags extends StoreFlags {
  readonly option: readonly string[];
  readonly candles: readonly string[];
  readonly pair?: string;
  readonly funding: readonly string[];
  readonly tick: readonly string[];
  readonly step: readonly string[];
  readonly minNotional: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly repair?: true;
}

/** A pair and the file of its candles. */
export interface PairFile {
  readonly pair: string;
  readonly file: string;
  /** Whether the file lies in the store, which knows its venue. */
  readonly isStored: boolean;
}

/**
 * The pairs of `--candles BTC-USDT=FILE …`, of `--candles BTC-USDT …` whose candles are stored, or of one `--candles FILE`
 * with `--pair`, in their order.
 *
 * @throws Error when a file has no pair, a pair two files or none, or pairs differ in their quote currency
 */
export function namedPairs(flags: PairFlags): PairFile[] {
  const { candles, pair } = flags;
  const exchange = flags.exchange ?? parseAssignments(flags.option, '--option').get('exchange') ?? BACKTEST_VENUE;
  const stored = new Set<string>();
  const texts = candles.map((text) => {
    const found = storedCandles(text, exchange, flags);
    if (found === null) return text;
    stored.add(found.file);
    return `${found.pair}=${found.file}`;
  });
  const { bare, named } = parsePerPair(texts, '--candles');
  if (candles.length === 0) throw new Error('set candles with --candles, or a recorded bot with --tape');
  if (bare !== null && named.size > 0) {
    throw new Error(`--candles ${bare} does not name a pair: write --candles BTC-USDT=${bare}`);
  }
  if (bare === null) {
    if (pair !== undefined) throw new Error('omit --pair: --candles already names the pairs');
    const files = [...named].map(([name, file]) => ({ pair: name, file, isStored: stored.has(file) }));
    checkCurrency(files);
    return files;
  }
  if (pair === undefined) throw new Error('set the pair of the candles with --pair, such as --pair BTC-USDT');
  if (!/^[a-z0-9]{1,20}-[a-z0-9]{2,12}$/i.test(pair)) throw new Error(`--pair ${pair} must have the form BTC-USDT`);
  return [{ pair: pair.toUpperCase(), file: bare, isStored: false }];
}

/** Returns the venue of the prices when all files lie in the store. */
export function priceSourceOf(files: readonly PairFile[]): PriceSource {
  return files.every(({ isStored }) => isStored) ? 'venue' : 'files';
}

function checkCurrency(files: readonly PairFile[]): void {
  const [first] = files;
  const other = files.find(({ pair }) => quoteOf(pair) !== quoteOf(first?.pair ?? ''));
  if (first === undefined || other === undefined) return;
  throw new Error(
    `${other.pair} is quoted in ${quoteOf(other.pair)} and ${first.pair} in ${quoteOf(first.pair)}: all pairs of a backtest need the same quote currency`,
  );
}

/** The quote currency of a pair. */
export function quoteOf(pair: string): string {
  return pair.slice(pair.indexOf('-') + 1);
}

/**
 * Loads the candles and the funding of every pair.
 *
 * @returns the pairs as a backtest takes them, and how many bad rows were left out
 * @throws Error naming the file, or the flag, and what is wrong
 */
export async function loadPairs(
  files: readonly PairFile[],
  flags: PairFlags,
  options: BotOptions,
): Promise<{ pairs: BacktestPair[]; repaired: number }> {
  const names = files.map(({ pair }) => pair);
  const funding = parsePerPair(flags.funding, '--funding');
  onlyOf(funding, names, '--funding');
  if (funding.bare !== null && names.length > 1) {
    throw new Error(`--funding ${funding.bare} does not name a pair: write --funding ${names[0]}=${funding.bare}`);
  }
  if (flags.funding.length > 0 && exchangeOfVenue(options.exchange)?.future !== true) {
    throw new Error('--funding is for futures: choose them with --option exchange=binanceusdm');
  }
  const grid = {
    tick: parsePerPair(flags.tick, '--tick'),
    step: parsePerPair(flags.step, '--step'),
    minNotional: parsePerPair(flags.minNotional, '--min-notional'),
  };
  onlyOf(grid.tick, names, '--tick');
  onlyOf(grid.step, names, '--step');
  onlyOf(grid.minNotional, names, '--min-notional');
  const from = flags.from === undefined ? -Infinity : readInstant(flags.from, '--from');
  const to = flags.to === undefined ? Infinity : readInstant(flags.to, '--to');
  const repair = flags.repair === true;
  const periodMs = PERIODS[options.period as Period];
  const pairs: BacktestPair[] = [];
  let repaired = 0;
  for (const { pair, file } of files) {
    const { candles, bad, priceDecimals } = await loadCandles(file, repair);
    repaired += bad.length;
    const candleMs = candleLength(candles);
    if (periodMs % candleMs !== 0) {
      throw new Error(
        `${file}: --period ${options.period} cannot be built from candles of ${candleMs / 60_000} minutes`,
      );
    }
    const clipped = clipCandles(candles, from, to);
    const merged = mergeCandles(clipped, candleMs, periodMs);
    if (merged.length === 0) throw new Error(`${file}: no complete candle of ${pair} is between --from and --to`);
    const market = marketFromCandles(pair, merged, priceDecimals, {
      ...given('tick', valueFor(grid.tick, pair), '--tick'),
      ...given('step', valueFor(grid.step, pair), '--step'),
      ...given('minNotional', valueFor(grid.minNotional, pair), '--min-notional'),
    });
    const payments = valueFor(funding, pair);
    if (payments === null) {
      pairs.push({ market, candles: clipped, candleMs });
      continue;
    }
    const paid = await loadFunding(payments, repair);
    repaired += paid.bad.length;
    pairs.push({ market, candles: clipped, candleMs, funding: paid.funding });
  }
  return { pairs, repaired };
}

function given<K extends string>(key: K, text: string | null, flag: string): { [P in K]?: number } {
  return text === null ? {} : ({ [key]: readNumber(text, flag) } as { [P in K]: number });
}
