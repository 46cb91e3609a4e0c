import type { WorkerLink } from './workerLink.ts';

/** A worker that starts when it is first needed, because most installations need few of them. */
export interface LazyWorker {
  /** Starts it unless it runs. */
  get(): Promise<WorkerLink>;
  /** Null until it was needed. */
  current(): WorkerLink | null;
  close(): Promise<void>;
}

/** @param open starts the worker; after a failure the next `get` repeats it */
export function createLazyWorker(open: () => Promise<WorkerLink>): LazyWorker {
  let opening: Promise<WorkerLink> | null = null;
  let link: WorkerLink | null = null;
  let closed = false;

  return {
    get() {
      opening ??= open().then(
        async (opened) => {
          if (closed) await opened.close();
          link = opened;
          return opened;
        },
        (error: unknown) => {
          opening = null;
          throw error;
        },
      );
      return opening;
    },
    current: () => link,
    async close() {
      closed = true;
      await link?.close();
    },
  };
}
