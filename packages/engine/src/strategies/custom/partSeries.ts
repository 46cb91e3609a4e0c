import type { Series } from '../strategy.ts';
import type { PartKind } from './partKinds.ts';

/** Outputs that are no line. */
const KINDS: Readonly<Record<string, Series['kind']>> = { histogram: 'histogram', direction: 'histogram', sar: 'dot' };

/** How the values of a part of a rule are drawn. A direction is no price, wherever its indicator is drawn. */
export function partSeries({ name, kind }: { readonly name: string; readonly kind: PartKind }): Series[] {
  return kind.outputs.map((output) => ({
    name: `${name}.${output}`,
    pane: output === 'direction' ? 'sub' : kind.pane,
    kind: KINDS[output] ?? 'line',
  }));
}
