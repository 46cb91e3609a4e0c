import {
  type Alias,
  type AliasFailure,
  type aliasAnswer,
  aliasFields,
  type sessionPair,
} from '@heron/contract/http/alias.ts';
import { CallError, oldErrorText } from '@heron/contract/http/errors.ts';
import { oldNameOf } from '@heron/contract/http/oldFieldNames.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { hasSessionInAddress, refuseSecretInAddress } from './authenticate.ts';
import type { Dispatch } from './dispatch.ts';
import { errorResponse, statusOf } from './errorResponse.ts';
import { parseForm } from './formBody.ts';
import type { OriginRules } from './origin.ts';
import { parse } from './parse.ts';
import { protectMethods } from './protectMethods.ts';
import { refuseOtherMethods, reportFailure } from './server.ts';

type Sent = Record<string, unknown>;

const fieldsOfAnyName = z.record(z.string(), z.unknown());
const beginning = z.object({ token: z.string(), user_info: z.object({ uid: z.number() }) });

/**
 * Serves named actions and the paths of older clients below `/panacea`. Each calls a method and responds with `{ code,
 * message, …data }`. Errors have a 4xx or 5xx status, `error` and `error_message`.
 *
 * @param options.sessionInAddress whether an administrator allows `sessionkey` and `sessionuid` in the query
 */
export function serveAliases(
  app: FastifyInstance,
  options: {
    aliases: readonly Alias[];
    oldDispatch: Dispatch;
    origins: OriginRules;
    limitRequests(address: string): void;
    sessionInAddress(): Promise<boolean>;
  },
): void {
  const { oldDispatch, origins, limitRequests } = options;

  async function answer(candidates: readonly Alias[], request: FastifyRequest, reply: FastifyReply) {
    const inAddress = hasSessionInAddress(request);
    refuseSecretInAddress(request, { sessionAllowed: inAddress && (await options.sessionInAddress()) });
    // Fastify has parsed both into new objects. A body may still be any JSON.
    const query = request.query as Sent;
    const body = parse(fieldsOfAnyName, request.body ?? {}, request.language);
    const fields = parse(aliasFields, inAddress ? { ...body, ...query } : body, request.language);
    setLanguage(request, fields.lang ?? query.lang);
    const sent: Sent = { ...body, ...(request.method === 'POST' ? {} : query), ...(request.params as Sent) };
    const alias = candidates.find(({ onlyWith }) => onlyWith === undefined || sent[onlyWith] !== undefined);
    if (alias === undefined) throw new CallError('not_found');
    const answering = oldDispatch.find(alias.method.name);
    if (alias.http === 'GET' && answering.method.postOnly) origins.checkOriginOfGet(request);
    const payload = payloadOf(sent, alias);
    const data = await oldDispatch.handle(answering, { request, reply, sent: payload, credentials: fields });
    const outcome: z.infer<typeof aliasAnswer> = { code: answering.method.success, message: '' };
    // The data of every method is an object; `methodCall.test.ts` checks it.
    const fieldsOfData = data as Sent;
    return { ...fieldsOfData, ...('token' in fieldsOfData ? pairOf(data) : undefined), ...outcome };
  }

  app.register(async (scope) => {
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => parseForm(body),
    );
    protectMethods(scope, limitRequests);
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = reportFailure(thrown, request, reply);
      const { code, message, details } = errorResponse(error, request.language, oldErrorText).error;
      const failure: AliasFailure = { code: -statusOf(error), message, error: code, error_message: message };
      return details === undefined ? failure : { ...failure, details };
    });
    const byPath = Map.groupBy(options.aliases, ({ path }) => path);
    for (const [path, aliases] of byPath) {
      const byMethod = Map.groupBy(aliases, ({ http }) => http);
      for (const [http, candidates] of byMethod) {
        scope.route({
          method: http,
          url: path,
          // A HEAD request would have the effect of the GET request.
          exposeHeadRoute: false,
          handler: (request, reply) => answer(candidates, request, reply),
        });
      }
      refuseOtherMethods(scope, path, [...byMethod.keys()]);
    }
  });
}

function setLanguage(request: FastifyRequest, lang: unknown): void {
  if (typeof lang === 'string') request.useLanguage(lang);
}

/** Returns the fields of a request with the names that they have in the generic send as well. */
function payloadOf(sent: Sent, { method, fields }: Alias): Sent {
  const all = { ...sent };
  for (const [here, there] of Object.entries(fields))
    if (here in sent) all[oldNameOf(method.payload, there)] = sent[here];
  return all;
}

/** Returns the new session in the form that older clients send back. */
function pairOf(data: unknown): z.infer<typeof sessionPair> | undefined {
  const begun = beginning.safeParse(data).data;
  return begun && { sessionkey: begun.token, sessionuid: begun.user_info.uid };
}
