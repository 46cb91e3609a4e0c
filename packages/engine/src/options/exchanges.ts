import type { Text } from './item.ts';

/** A venue that bots can trade on. @see options.md 2.1, architecture "bothost" */
export interface ExchangeEntry {
  readonly name: string;
  readonly title: Text;
  readonly future: boolean;
  readonly defi: boolean;
  /** Default port of its worker. */
  readonly port: number;
}

/** Venues that this version has an adapter for. */
export const EXCHANGES: readonly ExchangeEntry[] = [
  { name: 'binance', title: { zh: '币安现货', en: 'Binance spot' }, future: false, defi: false, port: 17810 },
];
