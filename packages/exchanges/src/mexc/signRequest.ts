import { ORDER_LIFETIME_MS } from '@heron/engine/live/orderRequest.ts';
import { queryOf } from '../http/row.ts';
import type { Signer } from '../http/signedClient.ts';
import { signText } from '../http/signer.ts';

/**
 * Writes a request of MEXC: the parameters of every method travel in the query, and the signature covers that text.
 *
 * @see docs/exchange-protocols.md
 */
export const signMexcRequest: Signer = ({ key, secret }, method, params) => {
  const payload = queryOf({ recvWindow: ORDER_LIFETIME_MS, ...params });
  return {
    query: `${payload}&signature=${signText(secret, payload)}`,
    headers: { 'X-MEXC-APIKEY': key, ...(method !== 'GET' && { 'Content-Type': 'application/json' }) },
  };
};
