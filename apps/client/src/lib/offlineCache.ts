import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { ownBuild } from './build.ts';
import { lastMember } from './earlyFetch.ts';

/** An answer of the server, to show it again where there is none. */
export interface KeptAnswer {
  readonly key: readonly unknown[];
  readonly data: unknown;
  /** When it was true. */
  readonly at: number;
}

/** The last known data of the member who uses this device. */
export interface Kept {
  readonly user: CurrentUser;
  readonly answers: readonly KeptAnswer[];
}

/** Another build may understand other answers. */
type Written = Kept & { readonly build: string };

const DATABASE = 'heron';
const STORE = 'kept';
const KEY = 'last';

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Works on the store. The database is closed again at once: it can be deleted at any moment. */
async function inStore<Value>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** Keeps it for a start without a server; unless the person has logged out meanwhile, in whatever window. */
export async function keep(kept: Kept): Promise<void> {
  if (lastMember() !== kept.user.uid) return;
  try {
    await inStore('readwrite', (store) => store.put({ ...kept, build: ownBuild() } satisfies Written, KEY));
  } catch {
    // No storage, or no room in it: then there is nothing to start with.
  }
}

/** Returns the data that this build stored for the member who was signed in last; null when there are none. */
export async function readKept(): Promise<Kept | null> {
  const uid = lastMember();
  if (uid === null) return null;
  try {
    const written = (await inStore('readonly', (store) => store.get(KEY))) as Written | undefined;
    return written && written.user.uid === uid && written.build === ownBuild() ? written : null;
  } catch {
    return null;
  }
}

/** Deletes what was kept, whoever it was of. */
export function forgetKept(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {}
}
