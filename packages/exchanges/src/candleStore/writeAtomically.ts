import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file atomically, also in case of a power cut: writes a second file, flushes it to the disk and renames it.
 *
 * @throws the error of the file system; the second file is removed
 */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  const part = `${file}.part`;
  try {
    const handle = await open(part, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  // Flushing the folder makes the new name durable.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
