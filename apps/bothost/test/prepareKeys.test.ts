import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@heron/database/connect.ts';
import { expect, test } from 'vitest';
import { control } from './control.ts';

test('a request about adding keys is answered after a while even if nothing starts', async () => {
  // The test never connects to this database.
  const database = openDatabase('postgresql://127.0.0.1:1/none');
  const answer = control(database, null).prepareKeys();
  expect(await Promise.race([answer, delay(500, 'waits')])).toBe('waits');
  // The timer of the test keeps the process alive, unlike that of the host.
  expect(await Promise.race([answer, delay(20_000, 'never')])).toEqual({ ready: false });
  await database.close();
});
