/**
 * What a page says to a worker: which build it brings, told by the port that comes with it; that it shall take over now; or that
 * it shall bring its build anew, after what it kept was cleared.
 */
export type ToWorker = 'which build?' | 'take over' | 'bring anew';

/** What a worker says to a page: that the person wishes to see a page of the app. */
export interface FromWorker {
  readonly open: string;
}
