import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { zipAround, zipOf } from '../../test/zipFile.ts';
import { isZip, unzip } from './zip.ts';

const TEXT = '1,2,3\n'.repeat(1_000);

describe('a zip file', () => {
  test('is recognised by its first bytes', () => {
    expect(isZip(zipOf(TEXT))).toBe(true);
    expect(isZip(Buffer.from(TEXT))).toBe(false);
    expect(isZip(Buffer.from('PK'))).toBe(false);
  });

  test('with one file inside is unpacked', async () => {
    expect(Buffer.from(await unzip('a.zip', zipOf(TEXT))).toString()).toBe(TEXT);
  });

  test('is rejected as damaged when the checksum of its content differs', async () => {
    const content = Buffer.from(TEXT);
    const zip = zipAround({ packed: deflateRawSync(content), checksum: crc32(content) ^ 1, size: content.length });
    await expect(unzip('a.zip', zip)).rejects.toThrow('a.zip is an incomplete or damaged zip file');
  });

  test('is rejected when it is encrypted', async () => {
    const zip = zipOf(TEXT);
    for (const [signature, flags] of [
      ['PK\x03\x04', 6],
      ['PK\x01\x02', 8],
    ] as const) {
      const at = zip.indexOf(signature, 0, 'latin1') + flags;
      zip.writeUInt16LE(1, at);
    }
    await expect(unzip('a.zip', zip)).rejects.toThrow('a.zip is encrypted: unpack it first');
  });

  test('is rejected when it contains no file', async () => {
    const end = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
    await expect(unzip('a.zip', end)).rejects.toThrow('a.zip contains 0 files');
  });
});
