import type { Bracket, Contract } from '../../accounts/futures/contracts.ts';
import { RATIO_SCALE } from '../../accounts/futures/contracts.ts';
import { fundingRate } from '../../accounts/futures/funding.ts';
import { MINUTE_MS } from '../../market/candles.ts';
import type { DayStatistics } from '../../market/dayStatistics.ts';
import type { PairMarket } from '../../market/pairMarket.ts';
import type { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { tickerEvent, tickerRow } from '../binance/marketData.ts';
import { markPrice, plain } from './format.ts';

/** Returns a funding rate as Binance writes it. @param rate parts per 100,000,000 */
export function fundingText(rate: number): string {
  return plain(rate, 8);
}

/** Returns a row of GET /fapi/v1/premiumIndex. */
export function premiumIndexRow(exchange: FuturesExchange, market: PairMarket): object {
  const { mark, index } = exchange.mark(market);
  const { rate, at } = exchange.funding(market);
  return {
    symbol: market.pair.symbol,
    markPrice: markPrice(mark),
    indexPrice: markPrice(index),
    estimatedSettlePrice: markPrice(index),
    lastFundingRate: fundingText(rate),
    interestRate: '0.00010000',
    nextFundingTime: at,
    time: exchange.time,
  };
}

type FundingRow = { symbol: string; fundingTime: number; fundingRate: string; markPrice: string; rateType: 'Regular' };

/**
 * Returns paid rates, oldest first, for GET /fapi/v1/fundingRate; none from before the first candle. Mark prices from
 * before the market was opened are those of its candles.
 */
export function fundingHistory(
  exchange: FuturesExchange,
  market: PairMarket,
  start: number | undefined,
  end: number | undefined,
  limit: number,
): FundingRow[] {
  const interval = exchange.fundingMs;
  const first = market.candles.firstMinute * MINUTE_MS;
  const latest = Math.floor(Math.min(end ?? exchange.time, exchange.time) / interval) * interval;
  const earliest = Math.ceil(Math.max(start ?? latest - (limit - 1) * interval, first) / interval) * interval;
  const rows: FundingRow[] = [];
  const contract = exchange.contract(market);
  for (let time = earliest; time <= latest && rows.length < limit; time += interval) {
    const mark = exchange.account.fundingMarks.get(contract.symbol)?.get(time);
    const index = Math.floor(time / MINUTE_MS) - market.candles.firstMinute;
    const tick = (index < market.candles.length ? market.candles.at(index)?.open : undefined) ?? market.lastTick;
    rows.push({
      symbol: contract.symbol,
      fundingTime: time,
      fundingRate: fundingText(fundingRate(exchange.seed, contract, time)),
      markPrice: mark === undefined ? plain(tick, contract.priceDecimals) : markPrice(mark),
      rateType: 'Regular',
    });
  }
  return rows;
}

/**
 * Returns a row of GET /fapi/v1/leverageBracket. It has no `notionalCoef`, which only accounts with individual brackets
 * see.
 */
export function bracketRow(contract: Contract): object {
  return {
    symbol: contract.symbol,
    brackets: contract.brackets.map((bracket: Bracket) => ({
      bracket: bracket.bracket,
      initialLeverage: bracket.initialLeverage,
      notionalCap: bracket.notionalCap,
      notionalFloor: bracket.notionalFloor,
      maintMarginRatio: bracket.ratio / RATIO_SCALE,
      cum: bracket.cum,
    })),
  };
}

/** Returns a row of GET /fapi/v1/ticker/24hr: the row of spot without the best bid and ask. */
export function futuresTickerRow(day: DayStatistics): object {
  return without(tickerRow(day, false), ['bidPrice', 'bidQty', 'askPrice', 'askQty', 'prevClosePrice']);
}

/** Returns a 24hrTicker event: the event of spot without the best bid and ask. */
export function futuresTickerEvent(day: DayStatistics): object {
  return without(tickerEvent(day), ['b', 'B', 'a', 'A', 'x']);
}

function without(row: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
