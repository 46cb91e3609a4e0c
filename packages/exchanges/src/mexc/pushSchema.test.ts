import { toUnits } from '@heron/engine/money/units.ts';
import { expect, test } from 'vitest';
import { MEXC_RECORDINGS } from '../testing/recordings/mexc.ts';
import { pushOf } from '../testing/recordings/mexcPush.ts';
import { bodyOf } from '../testing/recordings/recording.ts';
import { MARKET } from '../testing/scriptedExchange.ts';
import { tradesOf } from './parseMarket.ts';
import { decodePush } from './pushSchema.ts';

test('a push decodes to the fields that were encoded, and unknown fields are skipped', () => {
  const fields = {
    ...{ channel: 'spot@public.aggre.deals.v3.api.pb@100ms@BTCUSDT', symbol: 'BTCUSDT', sendTime: '1736412092433' },
    publicAggreDeals: { deals: [{ price: '93220.00', quantity: '0.04438243', tradeType: 2, time: '1736409765051' }] },
  };
  const bytes = pushOf(fields);
  expect(decodePush(bytes)).toEqual(fields);
  // Field 99, a text of one byte.
  expect(decodePush(Uint8Array.from([...bytes, 0x9a, 0x06, 0x01, 0x41]))).toEqual(fields);
});

/** A push of trades, encoded by the official schema. */
const OFFICIAL =
  '0a2f73706f74407075626c69632e61676772652e6465616c732e76332e6170692e7062403130306d7340425443555344541a07425443555344' +
  '5430bca9d9d0c432d2134a0a1f0a0839333232302e3030120a302e3034343338323433180220bba9d9d0c432122773706f74407075626c69' +
  '632e61676772652e6465616c732e76332e6170692e7062403130306d73';

test('a push encoded by the official schema has the same bytes and the same fields', () => {
  const fields = bodyOf<object>(MEXC_RECORDINGS.streams, 'deals');
  expect(Buffer.from(pushOf(fields)).toString('hex')).toBe(OFFICIAL);
  expect(tradesOf(decodePush(Buffer.from(OFFICIAL, 'hex')), MARKET)).toEqual([
    { type: 'trade', pair: MARKET.pair, price: toUnits(93_220), quantity: toUnits(0.04438243, MARKET.assetDecimals) },
  ]);
});
