import { openDatabase } from '@heron/database/connect.ts';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';

test('a failed transaction is rolled back, and a successful one is committed', async () => {
  const temporary = await temporaryDatabase({ migrated: false });
  const database = openDatabase(temporary.url);
  try {
    await database.pool.query('create table t (n int)');
    await inTransaction(database, (tx) => tx.execute(sql`insert into t values (1)`));
    const failing = inTransaction(database, async (tx) => {
      await tx.execute(sql`insert into t values (2)`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.pool.query('select n from t')).rows).toEqual([{ n: 1 }]);
  } finally {
    await database.close();
    await temporary.close();
  }
});

test('broken connections are replaced, however often they break', async () => {
  const temporary = await temporaryDatabase({ migrated: false });
  const database = openDatabase(temporary.url, { connections: 2 });
  const killer = openDatabase(temporary.url);
  try {
    for (let round = 0; round < 5; round++) {
      const broken = inTransaction(database, async (tx) => {
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await killer.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await tx.execute(sql`select 1`);
      });
      await expect(broken).rejects.toThrow();
    }
    const { rows } = await inTransaction(database, (tx) => tx.execute<{ n: number }>(sql`select 1 as n`));
    expect(rows).toEqual([{ n: 1 }]);
  } finally {
    await Promise.all([database.close(), killer.close()]);
    await temporary.close();
  }
});
