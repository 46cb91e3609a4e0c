/** Parts of the form, in their order. @see docs/options.md#english */
export const GROUPS = ['exchange', 'buy', 'sell', 'strategy', 'server', 'advance'] as const;
export type Group = (typeof GROUPS)[number];
export type Format = 'percent' | 'ms' | 'hours' | 'minutes' | 'quote' | 'count' | 'x' | 'pairs' | 'pricemask';

/**
 * When a change acts: at once, on the next entry, with the next grid or DCA deal, by reloading the strategy, only when flat
 * without open orders, or when the paper account is reset.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export type Apply = 'now' | 'next_entry' | 'next_plan' | 'reload' | 'flat_reload' | 'paper_reset';

/** `[min, max, step of the form field]` */
export type Range = readonly [number, number, number];

/** Shown only while it holds. Keys: other options, `exchange.future`, `exchange.defi`. */
export type Condition =
  | { readonly key: string; readonly eq: unknown }
  | { readonly key: string; readonly in: readonly unknown[] }
  | { readonly all: readonly Condition[] };

interface Common {
  readonly name: string;
  readonly group: Group;
  readonly apply: Apply;
  readonly show?: Condition;
}

export interface NumberItem extends Common {
  readonly type: 'number';
  readonly value: number;
  readonly step: Range;
  readonly format: Format;
  /** Value in use while the option is hidden; the default when left out. */
  readonly hidden?: number;
}

export interface ChoiceItem extends Common {
  /** `tab` for two to four values, `array` for more. */
  readonly type: 'tab' | 'array';
  readonly value: string;
  readonly list: readonly string[];
  /** The values are ids of these things, which have titles of their own. */
  readonly names?: 'venues';
  /** Value in use while the option is hidden; the default when left out. */
  readonly hidden?: string;
}

export interface TextItem extends Common {
  readonly type: 'text' | 'textarea' | 'string';
  readonly value: string;
  readonly pattern: RegExp;
  readonly format?: Format;
  /** Case does not matter: the value is stored in capitals. */
  readonly isUpperCase?: true;
  /** The value is the id of one of these things, which have titles of their own. */
  readonly names?: 'strategies';
}

/** One row of an exit table: `profit` is the percent that triggers it, `stop` the percent to sell. @see docs/exits.md#common-rules */
export interface ExitRow {
  readonly profit: number;
  readonly stop: number;
}

/** A column of percents. */
export interface Column {
  readonly step: Range;
}

export interface TableItem extends Common {
  readonly type: 'table';
  readonly value: readonly ExitRow[];
  readonly columns: { readonly profit: Column; readonly stop: Column };
  readonly maxRows: number;
  /** Row that a form offers; the first default row when left out. */
  readonly example?: ExitRow;
  /** `profit` is a price change, which leverage multiplies on the margin. */
  readonly isPriceChange?: true;
}

export type Item = NumberItem | ChoiceItem | TextItem | TableItem;
