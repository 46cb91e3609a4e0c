import { ArchiveTooLarge, maxUnpackedBytes } from './archiveLimit.ts';

/** First bytes of a zip file that has an entry, as a little-endian number. */
const ENTRY_SIGNATURE = 0x04034b50;

/** Returns whether a file begins as a zip file does. */
export function isZip(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === ENTRY_SIGNATURE;
}

/**
 * Unpacks a zip file with one file inside, as Binance publishes its dumps, and compares its checksum.
 *
 * @param path names the file in errors
 * @throws ArchiveTooLarge
 * @throws Error when the file is damaged, encrypted or holds another number of files
 */
export async function unzip(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  // Loaded here, because most commands never see a zip file.
  const { Uint8ArrayReader, ZipReader } = await import('@zip.js/zip.js');
  const options = { checkSignature: true, useWebWorkers: false };
  const entries = await orDamaged(path, new ZipReader(new Uint8ArrayReader(bytes), options).getEntries());
  const [entry] = entries;
  if (entry === undefined || entry.directory || entries.length !== 1) {
    throw new Error(`${path} contains ${entries.length} files: unpack it and pass the folder`);
  }
  if (entry.encrypted) throw new Error(`${path} is encrypted: unpack it first`);
  const { compressedSize, uncompressedSize } = entry;
  if (uncompressedSize > maxUnpackedBytes(compressedSize)) throw new ArchiveTooLarge(path, compressedSize);
  const content = new Uint8Array(uncompressedSize);
  let length = 0;
  const output = new WritableStream<Uint8Array>({
    write: (chunk) => {
      // Throws a RangeError as soon as there is more than the archive declares.
      content.set(chunk, length);
      length += chunk.length;
    },
  });
  await orDamaged(path, entry.getData(output));
  if (length !== uncompressedSize) throw damaged(path);
  return content;
}

async function orDamaged<Result>(path: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch {
    throw damaged(path);
  }
}

function damaged(path: string): Error {
  return new Error(`${path} is an incomplete or damaged zip file: download it again`);
}
