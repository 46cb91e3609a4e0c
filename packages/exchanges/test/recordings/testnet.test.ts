import { expect, test } from 'vitest';
import { openBinanceTrading } from '../../src/binance/trading.ts';
import { openBinanceUsdmTrading } from '../../src/binanceUsdm/trading.ts';
import { venueBudget } from '../../src/http/venueBudget.ts';
import { hostsAt } from '../../src/net/hosts.ts';
import { NO_PROXIES } from '../../src/net/openNet.ts';
import { openVenueNet, type VenueNet } from '../../src/net/venueNet.ts';
import { BINANCE_RECORDINGS } from '../../src/testing/recordings/binance.ts';
import { BINANCEUSDM_RECORDINGS } from '../../src/testing/recordings/binanceUsdm.ts';
import { openReplayVenue } from './replayVenue.ts';

const account = (net: VenueNet) => ({ key: { key: 'k', secret: 's' }, net, markets: async () => [], now: Date.now });

test.each([
  {
    ...{ name: 'binance', recordings: BINANCE_RECORDINGS, asked: 'GET /api/v3/account' },
    open: (net: VenueNet) => openBinanceTrading({ ...account(net), budget: venueBudget('binance', Date.now) }),
  },
  {
    ...{ name: 'binanceusdm', recordings: BINANCEUSDM_RECORDINGS, asked: 'GET /fapi/v1/accountConfig' },
    open: (net: VenueNet) => openBinanceUsdmTrading({ ...account(net), budget: venueBudget('binanceusdm', Date.now) }),
  },
])("on a testnet of $name, which reports no permissions, the account's flag counts", async (venue) => {
  const replay = await openReplayVenue(venue.recordings);
  const hosts = { ...hostsAt({ rest: replay.rest, ws: replay.ws }), permissions: [] };
  const net = openVenueNet({ name: venue.name, hosts, proxies: NO_PROXIES, now: Date.now });
  const trading = await venue.open(net);
  expect(await trading.permissions()).toEqual({ trade: true, withdraw: false, ipRestricted: null });
  expect([...replay.asked]).toContain(venue.asked);
  expect([...replay.asked].some((call) => call.includes('sapi'))).toBe(false);
  await trading.close();
  await net.close();
  await replay.close();
});
