import { venueTitle } from '@heron/contract/locales/venueTexts.ts';
import { PERIODS } from '@heron/engine/market/period.ts';
import { exchangeOfVenue } from '@heron/engine/options/venues.ts';
import type { BacktestDocument } from '@heron/engine/report/document.ts';

const SIDES = { only_long: 'longs only', only_short: 'shorts only', both: 'longs and shorts' } as const;

/** Descriptions of a run for both reports. */
export interface RunInWords {
  /** The strategy with its parameters and the period. */
  strategy: string;
  /** The traded market, such as futures with a leverage. */
  trading: string;
  /** Describes the data that decides fills and exits inside a candle of the period. */
  walked: string;
}

/** Describes the inputs of a document. */
export function describeRun({ strategy, params, period, options, detail, pairs }: BacktestDocument): RunInWords {
  const given = Object.entries(params).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const isFuture = exchangeOfVenue(options.exchange)?.future === true;
  const sides = SIDES[options.market as keyof typeof SIDES] ?? options.market;
  const margin = `, leverage ${options.leverage}, ${options.margin_mode} margin, ${sides}`;
  const lengths = [...new Set(pairs.map(({ candleMs }) => nameOf(candleMs)))].join(' and ');
  return {
    strategy: `${strategy}${given.length === 0 ? '' : ` (${given.join(', ')})`} on ${period}`,
    trading: `${venueTitle(options.exchange).en}${isFuture ? margin : ''}`,
    walked: detail
      ? `the ${lengths} candles inside each candle of ${period}`
      : `each candle of ${period} as a whole${lengths === period ? '' : ' (--no-detail)'}`,
  };
}

function nameOf(candleMs: number): string {
  return Object.entries(PERIODS).find(([, ms]) => ms === candleMs)?.[0] ?? `${candleMs} ms`;
}
