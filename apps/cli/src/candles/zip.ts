import { crc32, inflateRawSync } from 'node:zlib';
import { ArchiveTooLarge, mostUnpacked } from './archiveLimit.ts';

/** Marks of the parts of a zip file, as little-endian numbers. */
const ENTRY = 0x04034b50;
const LISTED = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;

/** Whether a file begins as zip. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length > END_BYTES && viewOf(bytes).getUint32(0, true) === ENTRY;
}

/**
 * The one file inside a zip file, as Binance publishes its dumps.
 *
 * @throws Error naming the file when it is damaged, encrypted, too large or holds another number of files
 */
export function unzipped(path: string, bytes: Uint8Array): Uint8Array {
  try {
    return contentOf(path, bytes);
  } catch (error) {
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new Error(`${path} is no whole zip file`);
    }
    throw error;
  }
}

/** The list at the end knows the sizes, which the entry itself need not. */
function contentOf(path: string, bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  let end = bytes.length - END_BYTES;
  const first = Math.max(0, end - LONGEST_COMMENT);
  while (end >= first && view.getUint32(end, true) !== END) end -= 1;
  if (end < first) throw new RangeError('it has no list');
  const files = view.getUint16(end + 10, true);
  if (files !== 1) throw new Error(`${path} holds ${files} files; unpack it and name the folder`);
  const at = view.getUint32(end + 16, true);
  if (view.getUint32(at, true) !== LISTED) throw new RangeError('its list is damaged');
  const encrypted = (view.getUint16(at + 8, true) & 1) === 1;
  const method = view.getUint16(at + 10, true);
  if (encrypted || (method !== STORED && method !== DEFLATED)) throw new Error(`${path}: unpack it first`);
  const packedSize = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const entry = view.getUint32(at + 42, true);
  const start = entry + 30 + view.getUint16(entry + 26, true) + view.getUint16(entry + 28, true);
  if (start + packedSize > bytes.length) throw new RangeError('it is cut off');
  const packed = bytes.subarray(start, start + packedSize);
  if (size > mostUnpacked(packedSize)) throw new ArchiveTooLarge(path, packedSize);
  const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  if (content.length !== size || crc32(content) !== view.getUint32(at + 16, true))
    throw new RangeError('it is damaged');
  return content;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
