import type { PairMarket } from '../../market/pairMarket.ts';
import { BinanceError, binanceError } from '../binance/errors.ts';
import type { Parameters } from '../binance/parameters.ts';
import type { RouteContext } from './route.ts';

const WEEK_MS = 7 * 86_400_000;

/** Returns the market of a parameter. */
export function oneMarket({ exchange, parameters }: RouteContext, name = 'symbol'): PairMarket {
  parameters.mandatory(name);
  const market = exchange.market(parameters.symbol(name) as string);
  if (!market) throw binanceError.symbol();
  return market;
}

/** Returns the market of `symbol`, or all. */
export function chosenMarkets(context: RouteContext): readonly PairMarket[] {
  return context.parameters.has('symbol') ? [oneMarket(context)] : context.exchange.markets;
}

/** Returns a row for the requested symbol, or a list of rows. */
export function perMarket(context: RouteContext, row: (market: PairMarket) => object): unknown {
  const rows = chosenMarkets(context).map(row);
  return context.parameters.has('symbol') ? rows[0] : rows;
}

export function span(parameters: Parameters): { start: number | undefined; end: number | undefined } {
  const start = parameters.integer('startTime');
  const end = parameters.integer('endTime');
  if (start !== undefined && end !== undefined && start > end) {
    throw new BinanceError(-1023, 'Start time is greater than end time.');
  }
  return { start, end };
}

/** Reads as `span`, for lists that cover at most seven days. */
export function weekOf(parameters: Parameters): { start: number | undefined; end: number | undefined } {
  const { start, end } = span(parameters);
  if (start !== undefined && end !== undefined && end - start > WEEK_MS) {
    throw new BinanceError(-4165, 'Invalid time interval');
  }
  return { start, end };
}

export function isWithin(time: number, start: number | undefined, end: number | undefined): boolean {
  return (start === undefined || time >= start) && (end === undefined || time <= end);
}

/** Returns the first rows of a bounded list, else the last ones. */
export function page<T>(parameters: Parameters, rows: readonly T[], bounded: boolean): readonly T[] {
  const limit = parameters.limit(500, 1000);
  return bounded ? rows.slice(0, limit) : rows.slice(-limit);
}
