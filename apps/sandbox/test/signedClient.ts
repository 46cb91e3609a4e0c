import { createHmac } from 'node:crypto';

export type Answer = { status: number; headers: Headers; body: unknown };

/** A minimal client of the REST interface: it signs requests and returns whole responses. */
export function signedClient(binance: { rest: string; key: string; secret: string }, now: () => number) {
  const send = async (method: string, target: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(binance.rest + target, { method, ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    send,
    public: (path: string, parameters: Record<string, string | number> = {}) =>
      send('GET', `${path}?${new URLSearchParams(toText(parameters))}`),
    signed(method: string, path: string, parameters: Record<string, string | number> = {}) {
      const query = new URLSearchParams(toText({ timestamp: now(), recvWindow: 60_000, ...parameters })).toString();
      const signature = createHmac('sha256', binance.secret).update(query).digest('hex');
      return send(method, `${path}?${query}&signature=${signature}`, { headers: { 'X-MBX-APIKEY': binance.key } });
    },
  };
}

function toText(parameters: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** Returns a decimal of at most eight places as units of 1e-8. */
export function exact(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}

export type StatementTrade = {
  symbol: string;
  id: number;
  orderId: number;
  price: string;
  qty: string;
  quoteQty: string;
  commission: string;
  commissionAsset: string;
  isBuyer: boolean;
  isMaker: boolean;
};

/** Returns the balance changes of trades, exactly: asset → units of 1e-8. */
export function sumOfTrades(trades: readonly StatementTrade[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (asset: string, units: bigint) => sums.set(asset, (sums.get(asset) ?? 0n) + units);
  for (const trade of trades) {
    const direction = trade.isBuyer ? 1n : -1n;
    add(trade.symbol.replace(/USDT$/, ''), direction * exact(trade.qty));
    add('USDT', -direction * exact(trade.quoteQty));
    add(trade.commissionAsset, -exact(trade.commission));
  }
  return sums;
}
