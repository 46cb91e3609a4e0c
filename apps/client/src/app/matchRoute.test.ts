import { expect, test } from 'vitest';
import { matchRoute } from './matchRoute.ts';

test('a matching path has the parameters of its pattern', () => {
  expect(matchRoute('/bots/', '/bots/')).toEqual({});
  expect(matchRoute('/bot-add/from/:from/', '/bot-add/from/a%20b/')).toEqual({ from: 'a b' });
});

test('another path does not match the pattern', () => {
  expect(matchRoute('/bot/:id/', '/bot/')).toBeNull();
  expect(matchRoute('/bot/:id/', '/bot//')).toBeNull();
  expect(matchRoute('/bot/:id/', '/bot/x/y/')).toBeNull();
  expect(matchRoute('/bot/:id/', '/bots/x/')).toBeNull();
  expect(matchRoute('/bot/:id/', '/bot/%E0%A4%A/')).toBeNull();
  expect(matchRoute('(.*)', '/anything/')).toBeNull();
});
