import { CONTRACTS } from '../../accounts/futures/contracts.ts';
import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import type { ExchangeDefinition } from '../../server/exchangeServer.ts';
import type { Keys } from '../../storage/dataFolder.ts';
import { FuturesExchange } from '../../venues/futures/futuresExchange.ts';
import { ListenKeys } from './listenKeys.ts';
import { RateLimits } from './rateLimits.ts';
import { handleRest } from './rest.ts';
import { type Category, Streams } from './streams.ts';

/**
 * Binance USD-M futures: REST under /fapi, market streams under /public and /market, account streams under /private,
 * all of them under /ws and /stream.
 *
 * @param fundingMs time between fundings; Binance's is eight hours
 */
export function binanceUsdm(fundingMs?: number): ExchangeDefinition<FuturesExchange> {
  return {
    pairs: CONTRACTS,
    open: (options) => FuturesExchange.open({ ...options, pairs: CONTRACTS }, fundingMs),
    protocol(exchange: FuturesExchange, clock: Clock, keys: Keys, script: FaultScript | undefined) {
      const listenKeys = new ListenKeys();
      const futures = { exchange, clock, keys, limits: new RateLimits(), listenKeys, script };
      const streams = new Streams(exchange, listenKeys, script);
      return {
        handleRequest: (request) => handleRest(futures, request),
        socketHandler(url) {
          const target = webSocketTarget(url);
          if (!target) return undefined;
          return (socket) => streams.accept(socket, target.category, target.combined, target.streams);
        },
        badRequestBody: JSON.stringify({ code: -1100, msg: 'Illegal characters found in a parameter.' }),
        pushEvery100ms: (now) => streams.pushEvery100ms(now),
        pushEverySecond: (now) => streams.pushEverySecond(now),
      };
    },
  };
}

const CATEGORIES: readonly string[] = ['public', 'market', 'private'];

/**
 * Returns the target of a WebSocket address: /market/ws/<stream>, /public/stream?streams=…, /private/ws?listenKey=…,
 * /ws/<key>.
 */
function webSocketTarget(url: string): { category: Category; combined: boolean; streams: string[] } | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  const category = CATEGORIES.includes(segments[0] ?? '') ? (segments.shift() as Category) : 'all';
  const [kind, ...names] = segments;
  if (kind !== 'ws' && kind !== 'stream') return undefined;
  const context = new URLSearchParams(query);
  const listed = (context.get('streams') ?? '').split('/');
  const listenKey = context.get('listenKey') ?? '';
  const streams = [...names, ...listed, listenKey].filter((name) => name !== '');
  return { category, combined: kind === 'stream', streams };
}
