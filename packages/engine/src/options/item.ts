/** Shapes of the option table. @see options.md 2 */

export interface Text {
  readonly zh: string;
  readonly en: string;
}

export type Group = 'exchange' | 'buy' | 'sell' | 'strategy' | 'advance';
export type Format = 'percent' | 'ms' | 'hours' | 'minutes' | 'quote' | 'count' | 'x' | 'pairs' | 'pricemask';

/** When a change acts: at once, on the next entry, by reloading the bot, or only when flat. @see options.md 2 */
export type Apply = 'now' | 'next_entry' | 'reload' | 'flat';

/** `[least, greatest, step of the widget]` */
export type Range = readonly [number, number, number];

/** Shown only while it holds. Keys: other options, `exchange.future`, `exchange.defi`. */
export type Condition =
  | { readonly key: string; readonly eq: unknown }
  | { readonly key: string; readonly in: readonly unknown[] }
  | { readonly all: readonly Condition[] };

interface Common {
  readonly name: string;
  readonly group: Group;
  readonly title: Text;
  readonly apply: Apply;
  readonly show?: Condition;
}

export interface NumberItem extends Common {
  readonly type: 'number';
  readonly value: number;
  readonly step: Range;
  readonly format: Format;
}

export interface ChoiceItem extends Common {
  /** `tab` for two to four values, `array` for more. */
  readonly type: 'tab' | 'array';
  readonly value: string;
  readonly list: readonly string[];
}

export interface TextItem extends Common {
  readonly type: 'text' | 'textarea' | 'string';
  readonly value: string;
  readonly pattern: RegExp;
  readonly format?: Format;
}

/** One row of an exit table: at `profit` percent sell `stop` percent. @see options.md 6 */
export interface ExitRow {
  readonly profit: number;
  readonly stop: number;
}

export interface TableItem extends Common {
  readonly type: 'table';
  readonly value: readonly ExitRow[];
  readonly columns: { readonly profit: Range; readonly stop: Range };
  readonly maxRows: number;
}

export type Item = NumberItem | ChoiceItem | TextItem | TableItem;
