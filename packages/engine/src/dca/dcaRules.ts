import { percentRatio, type Quote, type Ratio, toUnits } from '../money/units.ts';
import type { Params } from '../strategies/strategy.ts';

/** Parameters of a DCA strategy in the units of the engine. @see docs/strategies.md#dca-averaging */
export interface DcaRules {
  readonly periodic: boolean;
  /** A deal starts without a condition. */
  readonly startsNow: boolean;
  readonly safetyOrders: number;
  /** Distance of the first safety order in percent, and the factor of each next step. */
  readonly step: number;
  readonly stepScale: number;
  readonly volumeScale: number;
  /** Size of the first safety order as a multiple of the base order. */
  readonly firstScale: number;
  readonly takeProfit: Ratio;
  readonly trailing: Ratio;
  /** Closed candles between deals. */
  readonly pause: number;
  /** Order value of a periodic entry; 0 for `buy_pct`. */
  readonly amount: Quote;
}

/** Converts checked parameters. */
export function dcaRules(params: Params): DcaRules {
  return {
    periodic: params.mode === 'periodic',
    startsNow: params.mode !== 'periodic' && params.start === 'now',
    safetyOrders: params.safety_orders as number,
    step: params.step as number,
    stepScale: params.step_scale as number,
    volumeScale: params.volume_scale as number,
    firstScale: params.first_scale as number,
    takeProfit: percentRatio(params.take_profit as number),
    trailing: percentRatio(params.trailing as number),
    pause: params.pause as number,
    amount: toUnits(params.amount as number),
  };
}
