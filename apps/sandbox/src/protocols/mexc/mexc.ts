import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import type { ExchangeDefinition } from '../../server/exchangeServer.ts';
import { SpotExchange } from '../../venues/spot/spotExchange.ts';
import type { Keys } from './authentication.ts';
import { mexcError } from './errors.ts';
import { ListenKeys } from './listenKeys.ts';
import { MEXC_FEES, MEXC_PAIRS } from './pairs.ts';
import { RateLimits } from './rateLimits.ts';
import { handleRest } from './rest.ts';
import { Streams } from './streams.ts';

/** MEXC spot: REST under /api/v3, streams of market and account in protobuf under /ws. */
export const MEXC: ExchangeDefinition<SpotExchange> = {
  pairs: MEXC_PAIRS,
  open: (options) => SpotExchange.open(options, MEXC_FEES),
  protocol: mexcProtocol,
};

/** @param connectionClock the time of connections; default the machine's */
export function mexcProtocol(
  exchange: SpotExchange,
  clock: Clock,
  keys: Keys,
  script: FaultScript | undefined,
  connectionClock?: Pick<Clock, 'now'>,
): ReturnType<ExchangeDefinition<SpotExchange>['protocol']> {
  const mexc = { exchange, clock, keys, limits: new RateLimits(), listenKeys: new ListenKeys(), script };
  const streams = new Streams(mexc, connectionClock);
  return {
    handleRequest: (request) => handleRest(mexc, request),
    socketHandler(url) {
      const [path = '', query = ''] = url.split('?', 2);
      if (path !== '/ws') return undefined;
      const listenKey = new URLSearchParams(query).get('listenKey') ?? undefined;
      return (socket) => streams.accept(socket, listenKey);
    },
    badRequestBody: JSON.stringify(mexcError.path().body),
    pushEvery100ms: (now) => streams.pushEvery100ms(now),
    pushEverySecond: (now) => streams.pushEverySecond(now),
  };
}
