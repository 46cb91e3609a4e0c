import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEmail } from './email.ts';
import { isValidName, normaliseName } from './name.ts';
import { parsePhone } from './phone.ts';

const typed = fc.oneof(
  fc.string({ unit: fc.constantFrom('1', '3', '8', '0', '-', '_', 'a', '鹭', '８', '@', '.'), maxLength: 24 }),
  // Phone numbers in usual formats.
  fc
    .tuple(
      fc.constantFrom('', '0086', '0086-', '８６', '+86 '),
      fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }),
      fc.nat(10),
    )
    .map(([country, digits, cut]) => `${country}13${digits.slice(0, cut).join('')}-${digits.slice(cut).join('')}`),
);

test('no name that may be registered is a phone number, an e-mail address or a uid', () => {
  fc.assert(
    fc.property(typed, (text) => {
      const name = normaliseName(text);
      if (!isValidName(name)) return;
      expect(parsePhone(name)).toBeNull();
      expect(parseEmail(name)).toBeNull();
      expect(name).not.toMatch(/^\d+$/);
    }),
  );
});
