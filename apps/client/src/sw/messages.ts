/**
 * A page sends these messages to a worker. `which build?` requests the name of its build, which it posts to the port in
 * the message. `take over` activates it now. `download again` makes it download its build again after the caches were
 * cleared.
 */
export type ToWorker = 'which build?' | 'take over' | 'download again';

/** A worker sends this message to a page when the user opens a page of the app from a notification. */
export interface FromWorker {
  readonly open: string;
}
