import type { Clock } from '../../clock.ts';
import type { FaultScript } from '../../faults/faultScript.ts';
import type { Stall } from '../../server/exchangeServer.ts';
import { Exchange } from '../../venues/spot/spotExchange.ts';
import type { Keys } from './authentication.ts';
import { refuse } from './errors.ts';
import { ListenKeys } from './listenKeys.ts';
import { MEXC_FEES, MEXC_PAIRS } from './pairs.ts';
import { RateLimits } from './rateLimits.ts';
import { answerRest } from './rest.ts';
import { Streams } from './streams.ts';

/** MEXC spot: REST under /api/v3, streams of market and account in protobuf under /ws. */
export const MEXC: Stall<Exchange> = {
  pairs: MEXC_PAIRS,
  open: (seed, pairs, now, folder, loaded) => Exchange.open(seed, pairs, now, folder, loaded, MEXC_FEES),
  protocol: mexcProtocol,
};

/** @param wires the time that connections live in; default the machine's */
export function mexcProtocol(
  exchange: Exchange,
  clock: Clock,
  keys: Keys,
  script: FaultScript | undefined,
  wires?: Pick<Clock, 'now'>,
): ReturnType<Stall<Exchange>['protocol']> {
  const mexc = { exchange, clock, keys, limits: new RateLimits(), listenKeys: new ListenKeys(), script };
  const streams = new Streams(mexc, wires);
  return {
    answer: (request) => answerRest(mexc, request),
    socket(url) {
      const [path = '', query = ''] = url.split('?', 2);
      if (path !== '/ws') return undefined;
      const listenKey = new URLSearchParams(query).get('listenKey') ?? undefined;
      return (socket) => streams.accept(socket, listenKey);
    },
    refusal: JSON.stringify(refuse.path().body),
    pulse: (now) => streams.pulse(now),
    secondPulse: (now) => streams.secondPulse(now),
  };
}
