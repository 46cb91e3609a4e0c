import { readUsdmError } from '../binance/errorCodes.ts';
import { keyPermissions } from '../binance/keyPermissions.ts';
import { signBinanceRequest } from '../binance/signRequest.ts';
import type { Authentication, Endpoints } from '../http/signedClient.ts';
import type { TradingExchange } from '../trading.ts';
import { openSignedVenue, type SignedVenueConfig } from '../venue/signedVenue.ts';
import { openAccountMode } from './accountMode.ts';
import { openBinanceUsdmAccountStream } from './accountStream.ts';
import { openMargin } from './margin.ts';
import { openOrderRegister } from './orderRegister.ts';
import { createOrders } from './orders.ts';
import { walletOf } from './parseAccount.ts';

const NAME = 'binanceusdm';

/** Every request that this adapter can send. None of them withdraws, lends or transfers. */
export const BINANCEUSDM_ENDPOINTS: Endpoints = new Map<string, Authentication>([
  ['GET /fapi/v1/time', 'none'],
  ['POST /fapi/v1/order', 'signature'],
  ['DELETE /fapi/v1/order', 'signature'],
  ['GET /fapi/v1/order', 'signature'],
  ['GET /fapi/v1/openOrders', 'signature'],
  ['GET /fapi/v1/allOrders', 'signature'],
  ['POST /fapi/v1/algoOrder', 'signature'],
  ['DELETE /fapi/v1/algoOrder', 'signature'],
  ['GET /fapi/v1/algoOrder', 'signature'],
  ['GET /fapi/v1/openAlgoOrders', 'signature'],
  ['GET /fapi/v1/userTrades', 'signature'],
  ['GET /fapi/v1/income', 'signature'],
  ['GET /fapi/v1/symbolConfig', 'signature'],
  ['GET /fapi/v1/accountConfig', 'signature'],
  ['GET /fapi/v1/leverageBracket', 'signature'],
  ['POST /fapi/v1/leverage', 'signature'],
  ['POST /fapi/v1/marginType', 'signature'],
  ['POST /fapi/v1/listenKey', 'key'],
  ['GET /fapi/v3/balance', 'signature'],
  ['GET /fapi/v3/positionRisk', 'signature'],
  ['GET /sapi/v1/account/apiRestrictions', 'signature'],
]);

/**
 * Opens trading on the perpetual contracts of Binance USD-M, or on a venue with the same protocol. The account is in
 * one-way mode or hedge mode.
 *
 * @throws TypeError for a private key that is not Ed25519
 * @example
 * const trading = await openBinanceUsdmTrading({ key, net: openExternalNet('binanceusdm', 'binanceusdm', { now: Date.now }), budget: venueBudget('binanceusdm', Date.now), markets, now: Date.now });
 * await trading.margin?.setLeverage('BTC-USDT', 5);
 */
export async function openBinanceUsdmTrading(config: SignedVenueConfig): Promise<TradingExchange> {
  const { now } = config;
  const venue = openSignedVenue(
    {
      ...{ name: NAME, endpoints: BINANCEUSDM_ENDPOINTS, time: 'GET /fapi/v1/time' },
      ...{ sign: signBinanceRequest, readError: readUsdmError },
    },
    config,
  );
  const { client, clock, call, read, loadMarkets, marketById } = venue;
  const accountMode = openAccountMode(venue);
  const register = openOrderRegister(marketById);

  return {
    name: NAME,
    time: () => clock.venueTime(now()),

    ...createOrders(NAME, venue, { register, accountMode }, now),

    async balances() {
      const rows = await read(5, (signed) => client.rows('GET /fapi/v3/balance', signed));
      return rows.map(({ asset, balance }) => walletOf(asset, balance));
    },

    margin: openMargin(venue, accountMode, now),

    async account() {
      const [row] = await read(5, (signed) => client.rows('GET /fapi/v3/balance', signed));
      return row?.accountAlias === undefined ? null : String(row.accountAlias);
    },

    async permissions() {
      if (config.net.hosts.permissions.length === 0) {
        // A testnet does not report the permissions of a key; nothing can be withdrawn from it.
        const { canTrade } = await read(5, (signed) => client.row('GET /fapi/v1/accountConfig', signed));
        return { trade: String(canTrade) === 'true', withdraw: false, ipRestricted: null };
      }
      const answer = await read(1, (signed) => client.row('GET /sapi/v1/account/apiRestrictions', signed));
      return keyPermissions(answer, 'enableFutures');
    },

    stream(listener) {
      async function listenKey(): Promise<string> {
        return String((await call(1, 'account', () => client.row('POST /fapi/v1/listenKey', {}))).listenKey);
      }
      return openBinanceUsdmAccountStream(
        { net: config.net, marketById, loadMarkets, listenKey, ...register },
        listener,
      );
    },

    async close() {},
  };
}
