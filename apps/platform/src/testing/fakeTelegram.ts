import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const TELEGRAM_TOKEN = '123456:stand-in-token-of-a-bot-0000';

/** A fake of the Bot API on loopback, with users who write to the bot. */
export type FakeTelegram = {
  readonly url: string;
  /** Messages of the bot, oldest first. */
  readonly sent: { chat_id: number; text: string }[];
  /** Number of long polls. */
  readonly polls: number;
  /** Sends a message to the bot. */
  write(chat: number, text: string, from?: { name?: string; language?: string; type?: string }): void;
  /** Adds updates in unknown forms. */
  writeNonsense(): void;
  /** Rejects a message of the bot; null accepts it. */
  refuse(chat: number): Refusal | null | Promise<Refusal | null>;
  stop(): Promise<void>;
};

interface Refusal {
  readonly code: number;
  readonly retryAfter?: number;
}

export async function startFakeTelegram(): Promise<FakeTelegram> {
  let updates: { id: number; update: object }[] = [];
  let next = 1_000;
  let asked = 0;
  const waiting = new Set<() => void>();
  const answer = (response: ServerResponse, status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const addUpdate = (update: object) => {
    const id = next++;
    updates.push({ id, update: { update_id: id, ...update } });
    for (const wake of waiting) wake();
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (token !== TELEGRAM_TOKEN) return answer(response, 401, { ok: false, error_code: 401 });
    if (method === 'getMe') return answer(response, 200, { ok: true, result: { id: 1, username: 'heron_test_bot' } });
    if (method === 'getUpdates') {
      asked += 1;
      // Earlier updates are read.
      updates = updates.filter(({ id }) => id >= body.offset);
      if (updates.length === 0 && body.timeout > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.add(resolve);
        response.on('close', resolve);
        await promise;
        waiting.delete(resolve);
      }
      return answer(response, 200, { ok: true, result: updates.map(({ update }) => update) });
    }
    const refusal = await telegram.refuse(body.chat_id);
    if (refusal === null) {
      telegram.sent.push(body);
      return answer(response, 200, { ok: true, result: {} });
    }
    const parameters = refusal.retryAfter === undefined ? {} : { parameters: { retry_after: refusal.retryAfter } };
    return answer(response, refusal.code, { ok: false, error_code: refusal.code, ...parameters });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const telegram: FakeTelegram = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: [],
    get polls() {
      return asked;
    },
    write(chat, text, { name = 'Reader', language = 'en', type = 'private' } = {}) {
      const from = { first_name: name, username: 'reader_one', language_code: language };
      addUpdate({ message: { text, chat: { id: chat, type }, from } });
    },
    writeNonsense() {
      addUpdate({ message: { chat: 'of another kind' } });
      addUpdate({ update_id: 'of another kind' });
    },
    refuse: () => null,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return telegram;
}
