import { openDatabase } from '@heron/database/connect.ts';
import { checkMigrated } from '@heron/database/migrate.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { expect, test } from 'vitest';

test('each call creates a separate database on one server', async () => {
  const [first, second] = await Promise.all([temporaryDatabase(), temporaryDatabase()]);
  const [a, b] = [openDatabase(first.url), openDatabase(second.url)];
  try {
    await Promise.all([first, second].map(({ url }) => checkMigrated(url)));
    await a.pool.query('create table only_in_first (id int)');
    await expect(b.pool.query('select from only_in_first')).rejects.toThrow('does not exist');
    const folders = await Promise.all([a, b].map((db) => db.pool.query('show data_directory')));
    expect(folders[0]?.rows).toEqual(folders[1]?.rows);
  } finally {
    await Promise.all([a.close(), b.close()]);
    await Promise.all([first.close(), second.close()]);
  }
});
