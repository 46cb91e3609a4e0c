import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The pinned Node that npm installs; it runs TypeScript directly. */
export const NODE = path.join(ROOT, 'node_modules', '.bin', 'node');
