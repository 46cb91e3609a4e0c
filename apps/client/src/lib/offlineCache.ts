import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { ownBuild } from './build.ts';
import { lastMember } from './earlyFetch.ts';

/** A stored response is shown again when the server cannot be reached. */
export interface KeptAnswer {
  readonly key: readonly unknown[];
  readonly data: unknown;
  /** This is the time when the response was current. */
  readonly at: number;
}

/** These are the last known data of the user of this device. */
export interface Kept {
  readonly user: CurrentUser;
  readonly answers: readonly KeptAnswer[];
}

/** The build is stored too, since another build may expect other responses. */
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

/** Runs a request on the store. It closes the database at once, because the database may be deleted at any time. */
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

/** Stores the data for a start without a server, unless the user has signed out meanwhile in any window. */
export async function keep(kept: Kept): Promise<void> {
  if (lastMember() !== kept.user.uid) return;
  try {
    await inStore('readwrite', (store) => store.put({ ...kept, build: ownBuild() } satisfies Written, KEY));
  } catch {
    // Storage is blocked or full. A start without a server then has no data.
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

/** Deletes the stored data of any user. */
export function forgetKept(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {}
}
