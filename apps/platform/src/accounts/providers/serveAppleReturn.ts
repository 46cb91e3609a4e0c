import { CallError } from '@heron/contract/http/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseForm } from '../../gateway/formBody.ts';

const PATH = '/user-login/apple/';
/** Maximum size of Apple's form, in bytes. */
const BODY_LIMIT = 16_384;

const posted = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  /** JSON with the name, at the first sign-in only. */
  user: z.string().optional(),
  error: z.string().optional(),
});

/**
 * Redirects the form that Apple's page posts to a page of ours. The fields follow the `#`, which servers do not log.
 *
 * Trusts and changes nothing: our page sends the fields with the cookie of the browser, which another site cannot.
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
      const fields = Object.entries(parsed.data).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return reply.header('cache-control', 'no-store').redirect(`${PATH}#${new URLSearchParams(fields)}`, 303);
    });
  });
}
