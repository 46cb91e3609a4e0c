import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createOriginRules } from './origin.ts';

/** Returns a request with only the fields that the rules read. */
const under = (host: string) =>
  ({ headers: { host }, method: 'GET', raw: { rawHeaders: ['Host', host] } }) as unknown as FastifyRequest;

test.each([
  [
    '127.0.0.1',
    undefined,
    { localhost: true, '127.0.0.1:80': true, '[::1]:80': true, 'pc.local': false, '192.0.2.1': false },
  ],
  ['0.0.0.0', undefined, { localhost: true, 'pc.local': true, '192.0.2.1:17900': true, '[2001:db8::1]': true }],
  [
    '0.0.0.0',
    'https://heron.example',
    { 'heron.example': true, '192.0.2.1': true, '[2001:db8::1]:80': true, 'evil.example': false },
  ],
  [
    '127.0.0.1',
    'https://heron.example',
    { 'heron.example': true, localhost: true, 'evil.example': false, '192.0.2.1': false },
  ],
])('the rules for listening on %s as %s accept own hosts only', (host, publicUrl, names) => {
  const rules = createOriginRules({ host, publicUrl });
  for (const [name, isOwn] of Object.entries(names)) {
    const check = () => rules.checkHost(under(name));
    if (isOwn) expect(check, name).not.toThrow();
    else expect(check, name).toThrow('Open Heron at the URL');
  }
});
