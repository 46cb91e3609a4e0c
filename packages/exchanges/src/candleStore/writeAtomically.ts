import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file so that under its name there is always a whole one, the old or the new, even after a power cut: beside it
 * first, then through to the disk, then renamed.
 *
 * @throws the error of the file system; what lay beside the file is removed then
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
  // Its name is on the disk when the folder is.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
