/** Shapes of the option table. @see docs/options.md#english */

export interface Text {
  readonly zh: string;
  readonly en: string;
}

/** Parts of the form, in their order. */
export const GROUPS = ['exchange', 'buy', 'sell', 'strategy', 'server', 'advance'] as const;
export type Group = (typeof GROUPS)[number];
export type Format = 'percent' | 'ms' | 'hours' | 'minutes' | 'quote' | 'count' | 'x' | 'pairs' | 'pricemask';

/**
 * When a change acts: at once, on the next entry, by reloading the bot, by reloading it and only when flat without open
 * orders, or when the paper account is reset.
 *
 * @see docs/bot-lifecycle.md#when-option-changes-act
 */
export type Apply = 'now' | 'next_entry' | 'reload' | 'flat_reload' | 'paper_reset';

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
  /** What it does, in a sentence or two. */
  readonly help: Text;
  readonly apply: Apply;
  readonly show?: Condition;
}

export interface NumberItem extends Common {
  readonly type: 'number';
  readonly value: number;
  readonly step: Range;
  readonly format: Format;
  /** What is counted, or of what a percent is taken. */
  readonly basis?: Text;
  /** What it counts as while it is hidden; the default when left out. */
  readonly hidden?: number;
}

export interface ChoiceItem extends Common {
  /** `tab` for two to four values, `array` for more. */
  readonly type: 'tab' | 'array';
  readonly value: string;
  readonly list: readonly string[];
  /** What it counts as while it is hidden; the default when left out. */
  readonly hidden?: string;
}

export interface TextItem extends Common {
  readonly type: 'text' | 'textarea' | 'string';
  readonly value: string;
  readonly pattern: RegExp;
  readonly format?: Format;
}

/** One row of an exit table: at `profit` percent sell `stop` percent. @see docs/exits.md#common-rules */
export interface ExitLevel {
  readonly profit: number;
  readonly stop: number;
}

/** A column of percents. */
export interface Column {
  readonly title: Text;
  readonly step: Range;
  /** Of what the percent is taken. */
  readonly basis: Text;
}

export interface TableItem extends Common {
  readonly type: 'table';
  readonly value: readonly ExitLevel[];
  readonly columns: { readonly profit: Column; readonly stop: Column };
  readonly maxRows: number;
}

export type Item = NumberItem | ChoiceItem | TextItem | TableItem;
