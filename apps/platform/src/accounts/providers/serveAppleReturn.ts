import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseForm } from '../../gateway/formBody.ts';

const PATH = '/user-login/apple/';
/** What Apple posts is short. In bytes. */
const BODY_LIMIT = 16_384;

const posted = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  /** JSON with the name, at the first time only. */
  user: z.string().optional(),
  error: z.string().optional(),
});

/**
 * Apple comes back with a POST of its own page. It is turned into a visit of ours, with what Apple says behind the `#`, which
 * no server and no log sees. Nothing is believed or changed here: the page sends it on with the cookie that marks the browser,
 * which a page of another site cannot.
 */
export function serveAppleReturn(app: FastifyInstance, limitRequests: (address: string) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      async (_request: FastifyRequest, body: string) => parseForm(body),
    );
    scope.post(PATH, { config: { fromAnySite: true } }, async (request, reply) => {
      limitRequests(request.address);
      const parsed = posted.safeParse(request.body);
      if (!parsed.success) throw new CallError('malformed');
      const told = Object.entries(parsed.data).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return reply.header('cache-control', 'no-store').redirect(`${PATH}#${new URLSearchParams(told)}`, 303);
    });
  });
}
