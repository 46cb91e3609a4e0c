import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A request that is `lost` never arrives, the response of an `unanswered` one is dropped, and `held` waits for its promise.
 * `answered` receives the response's status and decides whether the response is forwarded.
 */
export type RequestDecision = Plain | { readonly held: Promise<Plain> } | Answered;

type Plain = 'pass' | 'lost' | 'unanswered';
interface Answered {
  answered(status: number): Promise<'pass' | 'lost'>;
}

/** A request that passes the proxy. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Parameters of query and body. */
  readonly params: URLSearchParams;
}

/** A proxy in front of a market's REST address that can drop requests and responses. */
export interface FaultyProxy {
  readonly url: string;
  /** Contains the requests that reached the market, in order. */
  readonly passed: ProxiedRequest[];
  /** Decides each request; all requests pass when null. */
  decide: ((proxied: ProxiedRequest) => RequestDecision) | null;
  close(): Promise<void>;
}

/** @param target base address of the market */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const server = createServer((incoming, answer) => {
    void pass(incoming, answer);
  });
  const proxy: FaultyProxy = {
    url: '',
    passed: [],
    decide: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(incoming.url ?? '/', target);
    const params = new URLSearchParams(searchParams);
    for (const [name, value] of new URLSearchParams(body.toString())) params.append(name, value);
    const proxied = { method: incoming.method ?? '', path: pathname, params };
    const first = proxy.decide?.(proxied) ?? 'pass';
    const decision = typeof first === 'object' && 'held' in first ? await first.held : first;
    if (decision === 'lost') {
      incoming.socket.destroy();
      return;
    }
    proxy.passed.push(proxied);
    const sent = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host },
    });
    sent.on('error', () => incoming.socket.destroy());
    sent.on('response', (response) => {
      if (decision === 'unanswered') {
        response.resume();
        incoming.socket.destroy();
        return;
      }
      // When the market breaks off its response, the client's connection breaks too.
      response.on('error', () => incoming.socket.destroy());
      const forward = () => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      };
      if (typeof decision !== 'object') return forward();
      void decision.answered(response.statusCode ?? 500).then((last) => {
        if (last === 'pass') forward();
        else incoming.socket.destroy();
      });
    });
    sent.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
