import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '../connect.ts';
import { type TemporaryDatabase, temporaryDatabase } from './temporaryDatabase.ts';

/** A temporary database that the tests of a file share. Use it within tests and hooks only. */
export interface DatabaseFixture {
  readonly url: string;
  readonly database: Database;
}

/** Opens the database before the tests of a file and drops it after them. */
export function databaseFixture(): DatabaseFixture {
  let temporary: TemporaryDatabase | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    temporary = await temporaryDatabase();
    database = openDatabase(temporary.url);
  });
  afterAll(async () => {
    await database?.close();
    await temporary?.close();
  });
  const given = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('the database is not open yet');
    return value;
  };
  return {
    get url() {
      return given(temporary).url;
    },
    get database() {
      return given(database);
    },
  };
}
