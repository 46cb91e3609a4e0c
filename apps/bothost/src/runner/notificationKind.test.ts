import { expect, test } from 'vitest';
import { notificationKindOf } from './notificationKind.ts';

const kindOf = (data: Record<string, string | boolean>) =>
  notificationKindOf({ at: 0, pair: 'ETH-USDT', kind: 'external', data }, 0);

test('coins that the bot has not bought are no alert, unless they pause the pair', () => {
  expect(kindOf({ what: 'foreign', surplus: '10' })).toBeNull();
  expect(kindOf({ what: 'foreign', surplus: '0' })).toBeNull();
  expect(kindOf({ what: 'foreign', surplus: '-0.5', pauses: true })).toBe('outside');
  expect(kindOf({ what: 'adjust' })).toBe('outside');
  expect(kindOf({ what: 'capital' })).toBeNull();
});
