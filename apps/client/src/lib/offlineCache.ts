import type { CurrentUser } from '@heron/contract/accounts/entities.ts';
import { ownBuild } from './build.ts';
import { lastMember } from './earlyRequests.ts';

/** A stored response is shown again when the server cannot be reached. */
export interface OfflineResponse {
  readonly key: readonly unknown[];
  readonly data: unknown;
  /** This is the time when the response was current. */
  readonly at: number;
}

/** These are the last known data of the user of this device. */
export interface OfflineData {
  readonly user: CurrentUser;
  readonly answers: readonly OfflineResponse[];
}

/** The build is stored too, since another build may expect other responses. */
type StoredOfflineData = OfflineData & { readonly build: string };

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
export async function writeOfflineCache(data: OfflineData): Promise<void> {
  if (lastMember() !== data.user.uid) return;
  try {
    await inStore('readwrite', (store) => store.put({ ...data, build: ownBuild() } satisfies StoredOfflineData, KEY));
  } catch {
    // Storage is blocked or full. A start without a server then has no data.
  }
}

/** Returns the data that this build stored for the member who was signed in last; null when there are none. */
export async function readOfflineCache(): Promise<OfflineData | null> {
  const uid = lastMember();
  if (uid === null) return null;
  try {
    const stored = (await inStore('readonly', (store) => store.get(KEY))) as StoredOfflineData | undefined;
    return stored && stored.user.uid === uid && stored.build === ownBuild() ? stored : null;
  } catch {
    return null;
  }
}

/** Deletes the stored data of any user. */
export function deleteOfflineCache(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {}
}
