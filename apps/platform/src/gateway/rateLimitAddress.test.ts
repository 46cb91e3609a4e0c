import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateLimitAddress } from './rateLimitAddress.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, counted) => {
  expect(rateLimitAddress(address)).toBe(counted);
});

test('all addresses of one /64 network count as one, addresses of two never do', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const four = fc.tuple(group, group, group, group);
  fc.assert(
    fc.property(four, four, four, (network, host, other) => {
      const write = (groups: number[]) => groups.map((value) => value.toString(16)).join(':');
      const counted = rateLimitAddress(write([...network, ...host]));
      expect(rateLimitAddress(write([...network, ...other]))).toBe(counted);
      const [first, ...rest] = network;
      expect(rateLimitAddress(write([first ^ 1, ...rest, ...host]))).not.toBe(counted);
    }),
  );
});
