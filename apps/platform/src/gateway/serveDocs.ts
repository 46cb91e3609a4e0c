import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenApiDocument } from '@heron/contract/http/openApi.ts';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the API description: `/openapi.json` for programs, `/docs/` for people. The page has no inline script, so that
 * our content security policy allows it.
 *
 * @param options.describe is called once, on the first request
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
    // The page requests its own description, which is replaced by this one.
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
