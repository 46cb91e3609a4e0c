import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export type ReceivedWebhook = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver of webhooks on loopback. */
export type WebhookReceiver = {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  /** Responds to requests; accepts them by default. */
  respond(response: ServerResponse): void;
  stop(): Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    receiver.respond(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    ...{ port, url: `http://127.0.0.1:${port}/hook/quiet-secret`, received: [] },
    respond: (response) => void response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Returns whether a request is signed as documented. */
export function isSigned({ headers, body }: ReceivedWebhook, secret: string, nowMs: number): boolean {
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['heron-signature'])) ?? [];
  if (at === undefined || Math.abs(nowMs / 1_000 - Number(at)) > 60) return false;
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex') === signature;
}
