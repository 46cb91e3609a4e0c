import type { Exchange } from 'ccxt';
import type { Clock } from '../src/clock.ts';

/** The sockets and the proxy of an exchange of ccxt's pro version. */
type Pro = Exchange & { client(url?: string): unknown; loadHttpProxyAgent(): Promise<unknown> };

/**
 * Leads an unmodified ccxt client to a sandbox and nowhere else, and lets it live in the sandbox's time.
 *
 * @param origins where it believes to be going
 * @param rest where it is led
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
