import { expect, test } from 'vitest';
import { providerAnswer } from './providerAnswer.ts';

test('WeChat returns its result in the query, Apple in the fragment', () => {
  expect(providerAnswer('?code=c1&state=s1')).toEqual({ code: 'c1', state: 's1', name: '' });
  const user = encodeURIComponent('{"name":{"firstName":"Ada","lastName":"Lovelace"}}');
  expect(providerAnswer(`#code=c2&state=s2&user=${user}`)).toEqual({ code: 'c2', state: 's2', name: 'Ada Lovelace' });
});

test('a user who cancels returns without a code', () => {
  expect(providerAnswer('#error=user_cancelled_authorize&state=s3').code).toBe('');
  expect(providerAnswer('').code).toBe('');
});

test('an invalid name is left out', () => {
  for (const user of ['{broken', '7', 'null', '{"name":{"firstName":7}}']) {
    expect(providerAnswer(`#code=c&state=s&user=${encodeURIComponent(user)}`).name).toBe('');
  }
});
