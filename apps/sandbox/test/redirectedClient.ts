import type { Exchange } from 'ccxt';
import type { Clock } from '../src/clock.ts';

/** The sockets and the proxy of a ccxt pro exchange. */
type Pro = Exchange & { client(url?: string): unknown; loadHttpProxyAgent(): Promise<unknown> };

/**
 * Redirects an unmodified ccxt client to a sandbox and blocks all other addresses. The client uses the sandbox's clock.
 *
 * @param origins the origins that it normally connects to
 * @param rest the address of the sandbox
 */
export async function redirectClient<C extends Pro>(
  client: C,
  { origins, rest, clock }: { origins: readonly string[]; rest: string; clock: Pick<Clock, 'now'> },
): Promise<C> {
  client.milliseconds = () => clock.now();
  client.fetchImplementation = (url: string, init: RequestInit) => {
    const target = new URL(url);
    if (!origins.includes(target.origin)) throw new Error(`a request would leave for ${target.origin}`);
    return fetch(rest + target.pathname + target.search, init);
  };
  const dial = client.client.bind(client);
  client.client = (url) => {
    if (!url?.startsWith('ws://127.0.0.1:') && url !== 'authenticationFlights') throw new Error(`would dial ${url}`);
    return dial(url);
  };
  await client.loadHttpProxyAgent();
  return client;
}
