import { ExchangeMisused } from '../errors.ts';
import type { VenueNet } from '../net/venueNet.ts';
import type { CcxtClass, CcxtClient, FetchLike, SignedRequest } from './library.ts';

/** Fields in which ccxt keeps what could sign or log in. */
export const CREDENTIALS = [
  'apiKey',
  'secret',
  'uid',
  'accountId',
  'login',
  'password',
  'twofa',
  'privateKey',
  'walletAddress',
  'token',
] as const;

/** Hosts and transports of a class that can only read. */
interface PublicReach {
  readonly origins: ReadonlyMap<string, string>;
  readonly stream: string;
  readonly fetch: FetchLike;
  readonly makeSocket: VenueNet['makeSocket'];
  readonly section?: string;
}

/**
 * A ccxt class that can only read: every private endpoint throws before a request is built, the signing functions throw,
 * and the credential fields of an instance are empty and cannot be written. What it may talk to is a closed list.
 *
 * @param reach.origins where REST requests for each origin go; an origin that is not a key throws
 * @param reach.stream beginning of every WebSocket address that may be opened
 * @param reach.fetch sends the request
 * @param reach.makeSocket opens the connection of a WebSocket
 * @param reach.section ccxt's name of the endpoints that everybody may call; default `public`
 */
export function publicOnly(Base: CcxtClass, name: string, reach: PublicReach): CcxtClass {
  const refuse = (what: string): never => {
    throw new ExchangeMisused(name, `this connection only reads public data and cannot ${what}`);
  };

  return class extends Base {
    constructor(config: object) {
      super(config);
      this.fetchImplementation = async (url, init) => {
        const { origin, pathname, search } = new URL(url);
        const target = reach.origins.get(origin);
        if (target === undefined) throw new ExchangeMisused(name, `${new URL(url).host} is not a host of this venue`);
        return reach.fetch(`${target}${pathname}${search}`, init);
      };
      this.hmac = () => refuse('sign');
      for (const field of CREDENTIALS) {
        Object.defineProperty(this, field, { value: '', writable: false, configurable: false });
      }
    }

    override sign(
      path: string,
      api: string | readonly string[] = 'public',
      method = 'GET',
      ...rest: [object?]
    ): SignedRequest {
      // some venues have sections, each with a public and a private part
      const access = typeof api === 'string' ? api : api.at(-1);
      if (access !== (reach.section ?? 'public') || method !== 'GET') return refuse(`call ${method} ${api} ${path}`);
      return super.sign(path, api, method, ...rest);
    }

    override signParams(): object {
      return refuse('sign');
    }

    override client(url: string): CcxtClient {
      if (!url.startsWith(reach.stream)) return refuse(`open ${new URL(url).host}`);
      const client = super.client(url);
      if (!Object.hasOwn(client, 'createConnection')) leadSocket(client, reach.makeSocket);
      return client;
    }
  };
}

/**
 * Makes a client of ccxt dial by `makeSocket`. The client keeps its address, by which ccxt finds it, while the connection
 * may lead to another host of the venue.
 */
function leadSocket(client: CcxtClient, makeSocket: VenueNet['makeSocket']): void {
  const create = client.createConnection.bind(client);
  const { url } = client;
  client.createConnection = () => {
    makeSocket(url, (address, options) => {
      client.url = address;
      client.options = options;
      try {
        create();
      } finally {
        client.url = url;
      }
      return client.connection;
    });
  };
}
