import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryDatabase } from '@heron/database/testing/temporaryDatabase.ts';
import { expect, test } from 'vitest';

const PROGRAM = `
  import { openDatabase } from '@heron/database/connect.ts';
  import { sql } from 'drizzle-orm';
  import { createRequire } from 'node:module';
  const database = openDatabase(process.argv[1]);
  const { rows } = await database.orm.execute(sql\`select 1 as n\`);
  await database.close();
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('drizzle-orm'));
  console.log(JSON.stringify({ rows, commonJs: loaded.length > 0 && loaded.every((file) => file.endsWith('.cjs')) }));
`;

test('quickDrizzle loads the CommonJS build of drizzle, which works', async () => {
  const database = await temporaryDatabase({ migrated: false });
  const quick = path.join(import.meta.dirname, '..', 'src', 'quickDrizzle.ts');
  const printed = execFileSync(
    process.execPath,
    ['--import', quick, '--input-type=module', '--eval', PROGRAM, database.url],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  );
  await database.close();
  expect(JSON.parse(printed)).toEqual({ rows: [{ n: 1 }], commonJs: true });
});
