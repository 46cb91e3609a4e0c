import type { AccountEvent, AccountStream } from '../trading.ts';
import { type AccountLine, openAccountConnection } from './accountConnection.ts';
import type { MarketById, Row } from './binanceAccount.ts';
import { orderUpdateOf, stopOf, stopUpdateOf, walletOf } from './binanceUsdmAccount.ts';

/** A listen key lives for an hour and for an hour again each time it is renewed. */
const RENEW_MS = 20 * 60_000;

/** What {@link openBinanceUsdmAccountStream} needs of the adapter. */
export interface UsdmStreamConfig {
  /** Ends in `/ws`, before which `/private` is put. */
  readonly url: string;
  readonly marketById: MarketById;
  /** The account's key: there is one, and asking for it renews it. */
  listenKey(): Promise<string>;
  learn(order: string, clientOrderId: string, exit: boolean): void;
  /** A stop has become an order. */
  triggered(order: string, stop: string): void;
  /** The stop that has become an order, if it was one. */
  stopBehind(order: string): string | undefined;
  loadMarkets(): Promise<void>;
}

/** The account's own events by its listen key. The key is left alone at the end: others may listen by it. */
export function openBinanceUsdmAccountStream(
  config: UsdmStreamConfig,
  listener: (event: AccountEvent) => void,
): AccountStream {
  let renewal: NodeJS.Timeout | null = null;

  function renewLater(line: AccountLine): void {
    renewal = setTimeout(() => {
      config.listenKey().then(
        () => renewLater(line),
        () => line.end('its listen key could not be renewed'),
      );
    }, RENEW_MS);
  }

  function stopRenewing(): void {
    if (renewal) clearTimeout(renewal);
  }

  function hear(event: Row, line: AccountLine): void {
    switch (event.e) {
      case 'ORDER_TRADE_UPDATE': {
        const told = orderUpdateOf(event, config.marketById);
        if (told === null) return;
        config.learn(told.order, told.report.clientOrderId, told.report.exit);
        const clientOrderId = config.stopBehind(told.order) ?? told.report.clientOrderId;
        // The fill first: the report counts it already.
        if (told.fill !== null) line.tell({ type: 'fill', fill: { ...told.fill, clientOrderId } });
        line.tell({ type: 'order', report: { ...told.report, clientOrderId } });
        return;
      }
      case 'ALGO_UPDATE': {
        const { row, order } = stopUpdateOf(event);
        if (config.marketById(String(row.symbol)) === undefined) return;
        const report = stopOf(row, config.marketById);
        if (order !== null) config.triggered(order, report.clientOrderId);
        line.tell({ type: 'order', report });
        return;
      }
      case 'ACCOUNT_UPDATE': {
        const { B, m } = event.a as { B?: Row[]; m: unknown };
        if (B !== undefined) line.tell({ type: 'balances', balances: B.map(({ a, wb }) => walletOf(a, wb)) });
        if (m !== 'ORDER') line.tell({ type: 'changed' });
        return;
      }
      case 'ACCOUNT_CONFIG_UPDATE':
        line.tell({ type: 'changed' });
        return;
      case 'listenKeyExpired':
        line.end('its listen key has expired');
    }
  }

  return openAccountConnection(
    {
      exchange: 'binanceusdm',
      ping: { id: 1, method: 'LIST_SUBSCRIPTIONS' },
      async address() {
        const [key] = await Promise.all([config.listenKey(), config.loadMarkets()]);
        return `${config.url.replace(/ws$/, 'private/ws')}?listenKey=${key}`;
      },
      opened(line) {
        renewLater(line);
        line.tell({ type: 'connected' });
      },
      heard(data, line) {
        const message: unknown = JSON.parse(String(data));
        if (typeof message === 'object' && message !== null) hear(message as Row, line);
      },
      ended: stopRenewing,
      async closed() {
        stopRenewing();
      },
    },
    listener,
  );
}
