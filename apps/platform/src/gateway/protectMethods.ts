import type { FastifyInstance } from 'fastify';

/**
 * Protects all routes of methods in a scope: no cache stores a response, and requests of an address are limited before
 * their body is read.
 *
 * @param limitRequests throws when an address sends too many requests
 */
export function protectMethods(scope: FastifyInstance, limitRequests: (address: string) => void): void {
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    limitRequests(request.address);
    done();
  });
}
