import { ExchangeMisused, ExchangeUnreachable, OutcomeUnknown } from '../errors.ts';
import type { CcxtClass, FetchLike, SignedRequest } from './library.ts';

/**
 * A ccxt class that can trade and nothing else: it signs the requests of a closed list, so that no mistake of ours, and no
 * method of the library, can withdraw, lend or move what the account has. It opens no WebSocket. After an answer of 5xx,
 * or one that sends elsewhere, nobody knows what was done, whatever the answer says.
 *
 * @param reach.endpoints `api METHOD path` as the library names them; an api with sections is written with a space between
 * @param reach.origins where REST requests for each origin go; an origin that is not a key throws
 */
export function tradingOnly(
  Base: CcxtClass,
  name: string,
  reach: { endpoints: ReadonlySet<string>; origins: ReadonlyMap<string, string>; fetch: FetchLike },
): CcxtClass {
  return class extends Base {
    constructor(config: object) {
      super(config);
      this.fetchImplementation = async (url, init) => {
        const { origin, pathname, search } = new URL(url);
        const target = reach.origins.get(origin);
        if (target === undefined) throw new ExchangeMisused(name, `${new URL(url).host} is not a host of this venue`);
        const response = await reach.fetch(`${target}${pathname}${search}`, init);
        // The venue answers itself; whoever redirects or fails stands between.
        if (response.status < 300 || (response.status >= 400 && response.status < 500)) return response;
        // The library takes a code that it does not know for a refusal, whoever on the way to the venue has written it.
        const answer = `${response.status} ${await response.text().catch(() => '')}`;
        throw init.method === 'GET' ? new ExchangeUnreachable(name, answer) : new OutcomeUnknown(name, answer);
      };
    }

    override sign(
      path: string,
      api: string | readonly string[] = 'public',
      method = 'GET',
      ...rest: [object?]
    ): SignedRequest {
      if (!reach.endpoints.has([api, method, path].flat().join(' '))) {
        throw new ExchangeMisused(name, `this connection only trades and cannot call ${method} ${api} ${path}`);
      }
      return super.sign(path, api, method, ...rest);
    }

    override client(url: string): never {
      throw new ExchangeMisused(name, `this connection cannot open ${new URL(url).host}`);
    }
  };
}
