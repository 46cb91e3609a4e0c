import { isProxyAddress } from '@heron/contract/accounts/proxyMethods.ts';
import { parseProxy } from '@heron/exchanges/net/proxy.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const part = fc.string({ unit: fc.constantFrom(...'a:@%/[]? #5é'), maxLength: 8 });

test('a proxy address that the app accepts can be used', () => {
  const addresses = fc
    .tuple(
      fc.constantFrom('http', 'https', 'socks5', 'socks5h', 'ftp'),
      part,
      part,
      fc.constantFrom('h:1080', 'h', '[::1]:8', ''),
    )
    .map(([scheme, user, password, host]) => `${scheme}://${user}:${password}@${host}`);
  fc.assert(
    fc.property(addresses, (address) => {
      if (isProxyAddress(address)) expect(parseProxy(address)).not.toBeNull();
    }),
    { seed: 20_261_123, numRuns: 2_000 },
  );
});

test.each([
  ['socks5://u:50%off@h:1080', false],
  ['socks5://u:50%25off@h:1080', true],
  ['http://u:p@ss@h:3128', true],
])('%s is an address that can be used: %s', (address, isUsable) => {
  expect([isProxyAddress(address), parseProxy(address) !== null]).toEqual([isUsable, isUsable]);
});
