import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Decides one request: `lost` never arrives, the response of `unanswered` is dropped, and `held` waits for its promise.
 * `answered` receives the response's status and decides whether the response is forwarded.
 */
export type Fate = Plain | { readonly held: Promise<Plain> } | Answered;

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
  fate: ((passing: ProxiedRequest) => Fate) | null;
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
    fate: null,
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
    const passing = { method: incoming.method ?? '', path: pathname, params };
    const decided = proxy.fate?.(passing) ?? 'pass';
    const fate = typeof decided === 'object' && 'held' in decided ? await decided.held : decided;
    if (fate === 'lost') {
      incoming.socket.destroy();
      return;
    }
    proxy.passed.push(passing);
    const sent = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host },
    });
    sent.on('error', () => incoming.socket.destroy());
    sent.on('response', (response) => {
      if (fate === 'unanswered') {
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
      if (typeof fate !== 'object') return forward();
      void fate.answered(response.statusCode ?? 500).then((decision) => {
        if (decision === 'pass') forward();
        else incoming.socket.destroy();
      });
    });
    sent.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
