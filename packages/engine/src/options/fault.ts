import type { Text } from './item.ts';

/** Why a value was refused; `option` names the item. */
export interface OptionFault {
  readonly option: string;
  readonly message: Text;
  /** Least and greatest value, where the value left its range. */
  readonly range?: readonly [number, number];
}
