import { SIGNAL_BODY_PATH, SIGNAL_BYTES, SIGNAL_PATH } from '@heron/contract/bots/signals.ts';
import { CallError } from '@heron/contract/http/errors.ts';
import type { Database } from '@heron/database/connect.ts';
import { signalAddresses, users } from '@heron/database/schema/accounts.ts';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuseSecretInAddress } from '../../gateway/authenticate.ts';
import { createRequestLimiter } from '../../gateway/requestLimiter.ts';
import { hashToken, isToken } from '../../gateway/secretToken.ts';
import { refuseOtherMethods } from '../../gateway/server.ts';
import type { CallBot } from '../callBot.ts';
import { createSignalReceiver, isAllowed, readSignal, type SignalRecord } from './receiveSignal.ts';

const SIGNALS_PER_MINUTE = 30;

const inPath = z.object({ id: z.uuid(), secret: z.string().optional() });
const inBody = z.object({ secret: z.string() });

/**
 * Serves the addresses that receive signals of TradingView and other programs. TradingView sends text or JSON, and neither
 * headers nor signatures of ours, so the secret is a part of the address.
 *
 * @see docs/api.md#signals
 */
export async function serveSignals(
  app: FastifyInstance,
  deps: { database: Database; callBot: CallBot; limitRequests(address: string): void },
): Promise<void> {
  const { orm } = deps.database;
  const receive = createSignalReceiver(deps);
  const limitSignals = createRequestLimiter(SIGNALS_PER_MINUTE);

  /** @throws CallError `not_found` for an unknown address, a wrong secret and a disabled address alike */
  async function findAddress(request: FastifyRequest, text: string): Promise<SignalRecord> {
    const given = inPath.safeParse(request.params).data;
    const secret = given?.secret ?? inBody.safeParse(readSignal(text)).data?.secret;
    if (given === undefined || secret === undefined || !isToken(secret)) throw new CallError('not_found');
    const [found] = await orm
      .select(getTableColumns(signalAddresses))
      .from(signalAddresses)
      .innerJoin(users, eq(users.id, signalAddresses.userId))
      .where(
        and(
          eq(signalAddresses.id, given.id),
          eq(signalAddresses.secretHash, hashToken(secret)),
          isNull(signalAddresses.disabledAt),
          isNull(users.deletedAt),
        ),
      );
    if (found === undefined) throw new CallError('not_found');
    return found;
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      ['application/json', 'text/plain'],
      { parseAs: 'string', bodyLimit: SIGNAL_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store');
      deps.limitRequests(request.address);
      done();
    });
    for (const url of [SIGNAL_PATH, SIGNAL_BODY_PATH]) {
      scope.route({
        method: 'POST',
        url,
        bodyLimit: SIGNAL_BYTES,
        handler: async (request) => {
          refuseSecretInAddress(request);
          const text = typeof request.body === 'string' ? request.body : '';
          const signal = await findAddress(request, text);
          const address = request.logFields.ip;
          // Strangers have a budget of their own, so that they cannot keep signals from arriving.
          limitSignals(isAllowed(signal, address) ? signal.id : `stranger ${signal.id}`);
          return receive(signal, { text, address });
        },
      });
      refuseOtherMethods(scope, url, ['POST']);
    }
  });
}
