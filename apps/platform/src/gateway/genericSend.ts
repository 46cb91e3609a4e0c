import { GATEWAY_PATH, type GatewayAnswer, type GatewayFailure, gatewayFields } from '@heron/contract/http/envelope.ts';
import { CallError, oldErrorText } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseSecretInAddress } from './authenticate.ts';
import type { Dispatch } from './dispatch.ts';
import { errorResponse, statusOf } from './errorResponse.ts';
import { parse } from './parse.ts';
import { protectMethods } from './protectMethods.ts';
import { refuseOtherMethods, reportFailure } from './server.ts';

/**
 * Serves the generic send: runs a method and responds with `{ code, message, data }`. Errors have a 4xx or 5xx status
 * and the `error` of `errorBody`.
 */
export function serveGenericSend(
  app: FastifyInstance,
  options: { oldDispatch: Dispatch; limitRequests(address: string): void },
): void {
  const { oldDispatch, limitRequests } = options;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<GatewayAnswer> {
    refuseSecretInAddress(request);
    const sent = request.method === 'GET' ? request.query : request.body;
    const fields = parse(gatewayFields, sent, request.language);
    if (fields.lang !== undefined) request.useLanguage(fields.lang);
    const answering = oldDispatch.find(fields.method);
    const { method } = answering;
    if (method.postOnly && request.method === 'GET') throw new CallError('wrong_method');
    const data = await oldDispatch.handle(answering, { request, reply, sent, credentials: { token: fields.token } });
    return { code: method.success, message: '', data: JSON.stringify(data) };
  }

  app.register(async (scope) => {
    protectMethods(scope, limitRequests);
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = reportFailure(thrown, request, reply);
      const body = errorResponse(error, request.language, oldErrorText);
      const failure: GatewayFailure = { code: -statusOf(error), message: body.error.message, data: 'null', ...body };
      return failure;
    });
    scope.route({ method: ['GET', 'POST'], url: GATEWAY_PATH, handler: answer });
    refuseOtherMethods(scope, GATEWAY_PATH, ['GET', 'HEAD', 'POST']);
  });
}
