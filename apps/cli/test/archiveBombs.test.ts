import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipAround, zipOf } from './zipFile.ts';

const MAIN = path.join(import.meta.dirname, '..', 'src', 'main.ts');
const NODE = path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'node');
const START = Date.UTC(2024, 0, 1);
const MEGABYTE = 1_048_576;
const ZEROS = Buffer.alloc(16 * MEGABYTE);
/** Number of repetitions of ZEROS; the total is 3 GB. */
const TIMES = 192;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'heron-bombs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `heron candles import`, and measures its peak memory. */
async function importing(file: string): Promise<{ code: number; err: string; megabytes: number }> {
  const measure = 'process.on("exit",()=>process.stderr.write(process.resourceUsage().maxRSS+" kB"))';
  const out = path.join(folder, 'out.arrow');
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      NODE,
      ['--import', `data:text/javascript,${measure}`, MAIN, 'candles', 'import', file, '--out', out, '--repair'],
      (error, _out, err) => resolve({ code: error === null ? 0 : Number(error.code), output: err }),
    );
  });
  const [, err = '', kilobytes] = /^(.*?)(\d+) kB$/s.exec(output) ?? [];
  return { code, err, megabytes: Number(kilobytes) / 1_024 };
}

/** Returns deflated zeros. The parts end at whole bytes, so they can be concatenated. */
function deflatedZeros(): { packed: Buffer; checksum: number } {
  const part = deflateRawSync(ZEROS, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
  let checksum = 0;
  for (let count = 0; count < TIMES; count++) checksum = crc32(ZEROS, checksum);
  return { packed: Buffer.concat([...Array<Buffer>(TIMES).fill(part), Buffer.from([3, 0])]), checksum };
}

/** Measures the peak memory for a small file. */
async function usual(): Promise<number> {
  const small = path.join(folder, 'small.csv.gz');
  await writeFile(small, gzipSync(`${START},1,1,1,1,1\n${START + 60_000},1,1,1,1,1\n`));
  const { code, megabytes } = await importing(small);
  expect(code).toBe(0);
  return megabytes;
}

describe('an archive of a few megabytes that unpacks to 3 GB is rejected in bounded memory', () => {
  test('as zip, with and without its true size', async () => {
    const before = await usual();
    const { packed, checksum } = deflatedZeros();
    expect(packed.length).toBeLessThan(20 * MEGABYTE);
    const honest = path.join(folder, 'honest.zip');
    await writeFile(honest, zipAround({ packed, checksum, size: TIMES * ZEROS.length }));
    const refused = await importing(honest);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${honest} unpacks to more than`) });
    expect(refused.megabytes).toBeLessThan(before + 100);
    const lying = path.join(folder, 'lying.zip');
    await writeFile(lying, zipAround({ packed, checksum, size: MEGABYTE }));
    const caught = await importing(lying);
    expect(caught).toMatchObject({
      code: 1,
      err: `heron: ${lying} is an incomplete or damaged zip file: download it again\n`,
    });
    expect(caught.megabytes).toBeLessThan(before + 100);
  });

  test('as gzip', async () => {
    const before = await usual();
    const bomb = path.join(folder, 'bomb.csv.gz');
    // Concatenated gzip members form one file.
    const member = gzipSync(ZEROS, { level: 9 });
    await writeFile(bomb, Buffer.concat(Array<Buffer>(TIMES).fill(member)));
    expect(TIMES * member.length).toBeLessThan(4 * MEGABYTE);
    const refused = await importing(bomb);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${bomb} unpacks to more than`) });
    expect(refused.megabytes).toBeLessThan(before + 300);
    expect((await readdir(folder)).filter((name) => name.startsWith('out.arrow'))).toEqual(['out.arrow']);
  });

  test('a file with hardly any candles is rejected before its faults fill the memory', async () => {
    const before = await usual();
    const junk = path.join(folder, 'junk.csv.gz');
    await writeFile(junk, gzipSync(Buffer.alloc(60 * MEGABYTE, 'x\n')));
    const refused = await importing(junk);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a file of candles: more than 100000'),
    });
    expect(refused.megabytes).toBeLessThan(before + 250);
  });
});

test('candles that compress very well are read', async () => {
  const rows = Array.from({ length: 400_000 }, (_, row) => `${START + row * 60_000},1,1,1,1,0`).join('\n');
  const zip = path.join(folder, 'flat.zip');
  await writeFile(zip, zipOf(rows));
  expect(await importing(zip)).toMatchObject({ code: 0, err: '' });
});
