import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import { PAIRS } from '../../market/pairs.ts';
import type { ExchangeDefinition } from '../../server/exchangeServer.ts';
import type { Keys } from '../../storage/dataFolder.ts';
import { SpotExchange } from '../../venues/spot/spotExchange.ts';
import { RateLimits } from './rateLimits.ts';
import { handleRest } from './rest.ts';
import { Streams } from './streams.ts';
import { WsApi } from './wsApi.ts';

/**
 * Binance spot: REST under /api and /sapi, streams under /ws and /stream, the WebSocket API under /ws-api/v3.
 */
export const BINANCE: ExchangeDefinition<SpotExchange> = {
  pairs: PAIRS,
  open: (options) => SpotExchange.open(options),
  protocol(exchange: SpotExchange, clock: Clock, keys: Keys, script: FaultScript | undefined) {
    const binance = { exchange, clock, keys, limits: new RateLimits(), script };
    const streams = new Streams(exchange, script);
    const wsApi = new WsApi(binance);
    return {
      handleRequest: (request) => handleRest(binance, request),
      socketHandler(url) {
        const target = webSocketTarget(url);
        if (!target) return undefined;
        if (target.kind === 'api') return (socket) => wsApi.accept(socket);
        return (socket) => streams.accept(socket, target.combined, target.streams);
      },
      shutdownNotice(url) {
        const target = webSocketTarget(url);
        const event = { e: 'serverShutdown', E: clock.now() };
        if (target?.kind === 'api') return JSON.stringify({ event });
        return JSON.stringify(target?.combined ? { stream: '!serverShutdown', data: event } : event);
      },
      badRequestBody: JSON.stringify({ code: -1100, msg: 'Illegal characters found in a parameter.' }),
      pushEvery100ms: (now) => streams.pushEvery100ms(now),
      pushEverySecond: (now) => streams.pushEverySecond(now),
    };
  },
};

type Target = { kind: 'api' } | { kind: 'streams'; combined: boolean; streams: string[] };

/**
 * Returns the target of a WebSocket address. Binance's own are /ws/<streams> and /stream?streams=…. Clients that
 * recognise spot by a "/stream" in the address (ccxt) connect to /stream/ws/<number>.
 */
function webSocketTarget(url: string): Target | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments[0] === 'ws-api') return { kind: 'api' };
  if (segments[0] !== 'ws' && segments[0] !== 'stream') return undefined;
  const listed = new URLSearchParams(query).get('streams');
  const at = segments.indexOf('ws');
  if (listed !== null || at === -1) {
    return { kind: 'streams', combined: true, streams: (listed ?? '').split('/').filter((name) => name !== '') };
  }
  return { kind: 'streams', combined: false, streams: segments.slice(at + 1).map((name) => safeDecode(name)) };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
