import { QueryClient, QueryObserver, skipToken } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { refetchAll } from './refetchAll.ts';

test('fetched data is fetched again, and data of the stream stays', async () => {
  const queries = new QueryClient();
  let answers = 0;
  const leave = [
    new QueryObserver(queries, { queryKey: ['bots'], queryFn: () => ++answers }).subscribe(() => {}),
    new QueryObserver(queries, { queryKey: ['unseen'], queryFn: skipToken }).subscribe(() => {}),
  ];
  queries.setQueryData(['unseen'], 3);
  queries.setQueryData(['bot', 'abc123'], { name: 'of a screen that is closed' });
  await queries.fetchQuery({ queryKey: ['bots'] });
  const before = answers;
  await refetchAll(queries);
  expect(answers).toBe(before + 1);
  expect(queries.getQueryData(['bots'])).toBe(answers);
  expect(queries.getQueryData(['unseen'])).toBe(3);
  expect(queries.getQueryData(['bot', 'abc123'])).toBeUndefined();
  for (const each of leave) each();
  queries.clear();
});
