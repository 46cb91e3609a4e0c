import { crc32, deflateRawSync } from 'node:zlib';

/** Returns a zip file that contains one file, as other programs write it. */
export function zipOf(text: string): Buffer {
  const content = Buffer.from(text);
  return zipAround({ packed: deflateRawSync(content), checksum: crc32(content), size: content.length });
}

/** Returns a zip file with one deflated file, whose list contains the given sizes and checksum. */
export function zipAround({ packed, checksum, size }: { packed: Buffer; checksum: number; size: number }): Buffer {
  const name = Buffer.from('candles.csv');
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(checksum >>> 0, 0);
  sizes.writeUInt32LE(packed.length, 4);
  sizes.writeUInt32LE(size, 8);
  const head = Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
  const lengths = Buffer.from([name.length, 0, 0, 0]);
  const entry = Buffer.concat([Buffer.from('PK\x03\x04'), head, sizes, lengths, name, packed]);
  const rest = Buffer.alloc(14);
  const listed = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), head, sizes, lengths, rest, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(entry.length, 12);
  return Buffer.concat([entry, listed, Buffer.from('PK\x05\x06'), end]);
}
