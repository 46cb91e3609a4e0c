import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to one request: `lost` never arrives; of `unanswered` the answer never comes back; `held` waits; `answered` is
 * asked with the status of the answer, which waits for it, and decides whether the answer goes on.
 */
export type Fate = Plain | { readonly held: Promise<Plain> } | Answered;

type Plain = 'pass' | 'lost' | 'unanswered';
interface Answered {
  answered(status: number): Promise<'pass' | 'lost'>;
}

/** A request as it passes the door. */
export interface Passing {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Of query and body. */
  readonly params: URLSearchParams;
}

/** A proxy before a market's REST address that can lose requests and answers. */
export interface FaultyDoor {
  readonly url: string;
  /** Requests that reached the market, in order. */
  readonly passed: Passing[];
  /** Decides what happens to each request; passes all when null. */
  fate: ((passing: Passing) => Fate) | null;
  close(): Promise<void>;
}

/** @param target base address of the market */
export async function openFaultyDoor(target: string): Promise<FaultyDoor> {
  const server = createServer((incoming, answer) => {
    void pass(incoming, answer);
  });
  const door: FaultyDoor = {
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
    const decided = door.fate?.(passing) ?? 'pass';
    const fate = typeof decided === 'object' && 'held' in decided ? await decided.held : decided;
    if (fate === 'lost') {
      incoming.socket.destroy();
      return;
    }
    door.passed.push(passing);
    const sent = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host },
    });
    sent.on('error', () => incoming.socket.destroy());
    sent.on('response', (told) => {
      if (fate === 'unanswered') {
        told.resume();
        incoming.socket.destroy();
        return;
      }
      // Who waits for an answer that the market did not end itself hears that it broke.
      told.on('error', () => incoming.socket.destroy());
      const goOn = () => {
        answer.writeHead(told.statusCode ?? 500, told.headers);
        told.pipe(answer);
      };
      if (typeof fate !== 'object') return goOn();
      void fate.answered(told.statusCode ?? 500).then((goes) => {
        if (goes === 'pass') goOn();
        else incoming.socket.destroy();
      });
    });
    sent.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(door, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
