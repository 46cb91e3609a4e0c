import { callBody, methodCall } from '@heron/contract/http/methodCall.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseSecretInAddress } from './authenticate.ts';
import type { Dispatch } from './dispatch.ts';
import type { MethodHandler } from './methods.ts';
import { protectMethods } from './protectMethods.ts';
import { refuseOtherMethods } from './server.ts';

/**
 * Serves the typed call of each method. The body is the payload and the response is the data, both as JSON. Errors have the
 * status and the body of all typed calls.
 */
export function serveMethodCalls(
  app: FastifyInstance,
  options: { handlers: readonly MethodHandler[]; dispatch: Dispatch; limitRequests(address: string): void },
): void {
  const { handlers, dispatch, limitRequests } = options;

  async function answer(handler: MethodHandler, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    refuseSecretInAddress(request);
    return dispatch.handle(handler, { request, reply, sent: request.body });
  }

  app.register(async (scope) => {
    protectMethods(scope, limitRequests);
    for (const handler of handlers) {
      const { method, path } = methodCall(handler.method);
      const strict = { ...handler, method: { ...handler.method, payload: callBody(handler.method) } };
      scope.route({ method, url: path, handler: (request, reply) => answer(strict, request, reply) });
      refuseOtherMethods(scope, path, [method]);
    }
  });
}
