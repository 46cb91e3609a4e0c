import { ORDER_LIFETIME_MS } from '@heron/engine/live/orderRequest.ts';
import { queryOf } from '../http/row.ts';
import type { Signer } from '../http/signedClient.ts';
import { signText } from '../http/signer.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Writes a request of Binance, spot or USD-M. The parameters are in the query of a GET or DELETE and in the body of a
 * POST. The signature covers exactly that text.
 *
 * @see docs/exchange-protocols.md
 */
export const signBinanceRequest: Signer = ({ key, secret }, method, params, authentication) => {
  const headers = { 'X-MBX-APIKEY': key };
  if (authentication === 'key')
    return { query: '', body: queryOf(params), headers: { ...headers, 'Content-Type': FORM } };
  const payload = queryOf({ recvWindow: ORDER_LIFETIME_MS, ...params });
  const signed = `${payload}&signature=${encodeURIComponent(signText(secret, payload))}`;
  if (method === 'GET' || method === 'DELETE') return { query: signed, headers };
  return { query: '', body: signed, headers: { ...headers, 'Content-Type': FORM } };
};
