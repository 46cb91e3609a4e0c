import type { Series } from '../strategy.ts';
import type { PartKind } from './partKinds.ts';

/** Outputs that are not drawn as a line. */
const KINDS: Readonly<Record<string, Series['kind']>> = { histogram: 'histogram', direction: 'histogram', sar: 'dot' };

/** Returns the series of a part of a rule. A direction is not a price and stays off the price chart. */
export function partSeries({ name, kind }: { readonly name: string; readonly kind: PartKind }): Series[] {
  return kind.outputs.map((output) => ({
    name: `${name}.${output}`,
    pane: output === 'direction' ? 'sub' : kind.pane,
    kind: KINDS[output] ?? 'line',
  }));
}
