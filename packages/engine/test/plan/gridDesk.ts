import type { Market } from '@heron/engine/market/market.ts';
import type { Params } from '@heron/engine/strategies/strategy.ts';
import { MARKETS } from '../arbitraries.ts';
import { Desk } from '../harness.ts';

/** A grid of six levels around 60,000. */
export const SIX = { lower: 54_000, upper: 66_000, spacing: 'arithmetic', levels: 6 };

type Given = ConstructorParameters<typeof Desk>[0];

/** Returns a paper session whose grid was placed at 60,000. */
export function gridDesk(given: Given = {}, params: Params = {}, market = MARKETS[0] as Market): Desk {
  const desk = new Desk(
    { strategy: 'grid', order_type: 'taker', stop_sell: [], buy_pct: 50, avg_slippage_pct: 0, ...given },
    market,
    { params: { ...SIX, ...params } },
  );
  desk.quote(60_000);
  desk.close(60_000);
  return desk;
}
