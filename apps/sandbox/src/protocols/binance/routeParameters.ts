import type { PairMarket } from '../../market/pairMarket.ts';
import type { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { binanceError } from './errors.ts';
import type { Parameters } from './parameters.ts';

const DAY_MS = 86_400_000;

/** Returns the market of `symbol`. */
export function oneMarket(exchange: SpotExchange, parameters: Parameters): PairMarket {
  parameters.mandatory('symbol');
  const market = exchange.market(parameters.symbol() as string);
  if (!market) throw binanceError.symbol();
  return market;
}

/** Returns the markets of `symbol` or `symbols`; undefined when neither was sent. */
export function chosenMarkets(exchange: SpotExchange, parameters: Parameters): PairMarket[] | undefined {
  const symbols = parameters.symbols();
  if (parameters.has('symbol')) {
    if (symbols) throw binanceError.combination();
    return [oneMarket(exchange, parameters)];
  }
  return symbols?.map((symbol) => {
    const market = exchange.market(symbol);
    if (!market) throw binanceError.symbol();
    return market;
  });
}

/** Returns a row for the requested symbol, or a list of rows. */
export function perMarket(
  exchange: SpotExchange,
  parameters: Parameters,
  row: (market: PairMarket) => object,
): unknown {
  const rows = (chosenMarkets(exchange, parameters) ?? exchange.markets).map(row);
  return parameters.has('symbol') ? rows[0] : rows;
}

export function span(
  parameters: Parameters,
  withinDay: boolean,
): { start: number | undefined; end: number | undefined } {
  const start = parameters.integer('startTime');
  const end = parameters.integer('endTime');
  if (withinDay && start !== undefined && end !== undefined && end - start > DAY_MS) throw binanceError.longerThanDay();
  return { start, end };
}
