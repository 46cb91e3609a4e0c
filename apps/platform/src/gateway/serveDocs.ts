import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenApiDocument } from '@heron/contract/http/openApi.ts';
import type { FastifyInstance } from 'fastify';

/**
 * The description of the API: `/openapi.json` for programs, `/docs/` for people to read and try. The page needs no script
 * within it, so that our content security policy holds for it too.
 *
 * @param options.describe is asked once, when somebody first wants to know
 */
export async function serveDocs(
  app: FastifyInstance,
  options: { describe(): OpenApiDocument; limitRequests(address: string): void },
): Promise<void> {
  let known: OpenApiDocument | null = null;
  const describe = () => {
    known ??= options.describe();
    return known;
  };
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-cache');
      options.limitRequests(request.address);
      done();
    });
    scope.get('/openapi.json', async () => describe());
    // The page asks for a description of its own, and gets this one.
    await scope.register(swagger, {
      mode: 'static',
      specification: { document: { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} } },
    });
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      transformSpecification: () => describe(),
      transformSpecificationClone: false,
      logo: { type: 'image/svg+xml', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      theme: { title: 'Heron API' },
      uiConfig: { docExpansion: 'none', filter: true },
    });
  });
}
