import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callerAddress } from './callerAddress.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8::1]:50123', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['unknown', '127.0.0.1'],
  ['_hidden', '127.0.0.1'],
  ['', '127.0.0.1'],
  ['999.0.2.1', '127.0.0.1'],
  ['x'.repeat(3_000), '127.0.0.1'],
])('%s behind a proxy at 127.0.0.1 is %s', (reported, caller) => {
  expect(callerAddress(reported, '127.0.0.1')).toBe(caller);
});

test('a caller has an IP address whatever a proxy sends', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (reported) => {
      expect(isIP(callerAddress(reported, '127.0.0.1'))).not.toBe(0);
    }),
  );
});
