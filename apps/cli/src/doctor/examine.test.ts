import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { examine, type Finding } from './examine.ts';

function find(findings: readonly Finding[], what: string): Finding | undefined {
  return findings.find((finding) => finding.what === what);
}

test('the doctor finds what is wrong with folder and database, and changes nothing', async () => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'heron-doctor-'));
  const file = path.join(base, 'file');
  writeFileSync(file, '');
  const ill = await examine({
    dataFolder: path.join(file, 'data'),
    databaseUrl: 'postgresql://a:geheim@127.0.0.1:1/b',
  });
  expect(find(ill, 'Data folder')).toMatchObject({ ok: false, detail: expect.stringContaining('HERON_DATA') });
  expect(find(ill, 'Database')).toMatchObject({ ok: false, detail: expect.stringContaining('127.0.0.1:1') });
  expect(JSON.stringify(ill)).not.toContain('geheim');

  const well = await examine({ dataFolder: path.join(base, 'data'), databaseUrl: null });
  expect(find(well, 'Data folder')).toMatchObject({ ok: true });
  expect(find(well, 'Database')).toMatchObject({ ok: true });
  expect(existsSync(path.join(base, 'data'))).toBe(false);
  await rm(base, { recursive: true });
});
