import { STREAM_CLOSE, type StreamMessage, type StreamRequest } from '@heron/contract/bots/stream.ts';

/** The client needs only this part of WebSocket; tests inject their own. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event?: { code: number }) => void) | null;
  send(data: string): void;
  close(): void;
}

/**
 * `off`: not started. `connecting`: first try. `open`: connected. `lost`: the connection failed or ended, and a retry
 * follows.
 */
export type StreamStatus = 'off' | 'connecting' | 'open' | 'lost';

export interface StreamSettings {
  readonly open: () => Socket;
  /** This runs when the server closes the connection because the session has ended. Retries would fail. */
  readonly onLoggedOut?: () => void;
  /** This number from 0 to 1 spreads the retries of many clients. */
  readonly random?: () => number;
  readonly setTimer?: (act: () => void, ms: number) => unknown;
  readonly clearTimer?: (timer: unknown) => void;
}

export interface Stream {
  /** Connects, and reconnects until `stop`. */
  start(): void;
  stop(): void;
  /**
   * Subscribes to the details of a bot until the returned function is called; survives reconnects. The latest request
   * wins, since a page stays mounted below the next one.
   */
  watch(id: string): () => void;
  /** Reconnects at once instead of waiting, because the network is back or the page is visible again. */
  reconnectNow(): void;
  status(): StreamStatus;
  onMessage(listener: (message: StreamMessage) => void): () => void;
  onStatus(listener: (status: StreamStatus) => void): () => void;
  /** Calls the listener with each bot whose details begin to be pushed. */
  onWatch(listener: (id: string) => void): () => void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
/**
 * When the server closes a client that sends too much, this many failed tries are assumed, so that the first wait is
 * four seconds.
 */
const TRIES_WHEN_TOO_MANY = 3;
/**
 * After this time without a message of a watched bot its details are requested again. A dead connection does not
 * respond.
 */
const SILENCE_MS = 75_000;
const PROBE_MS = 10_000;

/** Returns the wait in ms before try `n` (from 0). The wait doubles up to a maximum; half of it is random. */
export function retryDelayMs(n: number, random: number): number {
  const whole = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** n);
  return Math.round(whole * (0.5 + random / 2));
}

/**
 * Keeps one WebSocket of the bot host connected: it retries with back-off, restores the subscription, and detects dead
 * connections.
 */
export function createStream(settings: StreamSettings): Stream {
  const { random = Math.random } = settings;
  const setTimer = settings.setTimer ?? ((act, ms) => setTimeout(act, ms));
  const clearTimer = settings.clearTimer ?? ((timer) => clearTimeout(timer as number));
  const messages = new Set<(message: StreamMessage) => void>();
  const statuses = new Set<(status: StreamStatus) => void>();
  const watches = new Set<(id: string) => void>();
  /** The requests to watch a bot are sorted, oldest first. */
  let requests: readonly { readonly id: string }[] = [];
  let status: StreamStatus = 'off';
  let socket: Socket | null = null;
  let watched: string | null = null;
  let tries = 0;
  /**
   * Counts consecutive connections that the server closed because there were too many, or because they sent too much.
   */
  let refusals = 0;
  let retry: unknown;
  let silence: unknown;

  function become(next: StreamStatus) {
    if (status === next) return;
    status = next;
    for (const listener of [...statuses]) listener(next);
  }

  function request(id: string | null) {
    const message: StreamRequest = { type: 'watch', id };
    socket?.send(JSON.stringify(message));
  }

  function begin(id: string) {
    request(id);
    for (const listener of [...watches]) listener(id);
  }

  function watchNewest() {
    const id = requests.at(-1)?.id ?? null;
    if (watched === id) return;
    watched = id;
    if (status === 'open') {
      if (id === null) request(null);
      else begin(id);
    }
    listenForSilence();
  }

  function listenForSilence() {
    clearTimer(silence);
    if (watched === null || status !== 'open') return;
    silence = setTimer(() => {
      request(watched);
      silence = setTimer(() => lose(socket), PROBE_MS);
    }, SILENCE_MS);
  }

  function connect() {
    clearTimer(retry);
    const own = settings.open();
    socket = own;
    own.onopen = () => {
      if (socket !== own) return;
      tries = 0;
      become('open');
      if (watched !== null) begin(watched);
      listenForSilence();
    };
    own.onmessage = ({ data }) => {
      if (socket !== own) return;
      listenForSilence();
      const message = JSON.parse(String(data)) as StreamMessage;
      for (const listener of [...messages]) listener(message);
    };
    own.onclose = (event) => {
      if (socket !== own) return;
      if (event?.code === STREAM_CLOSE.sessionEnded) {
        drop();
        become('off');
        settings.onLoggedOut?.();
        return;
      }
      // A connection that was open does not lengthen the wait.
      if (event?.code === STREAM_CLOSE.tooMany) tries = TRIES_WHEN_TOO_MANY + refusals++;
      else if (tries === 0) refusals = 0;
      lose(own);
    };
  }

  function lose(own: Socket | null) {
    if (own === null || socket !== own) return;
    drop();
    become('lost');
    retry = setTimer(connect, retryDelayMs(tries++, random()));
  }

  function drop() {
    clearTimer(retry);
    clearTimer(silence);
    const own = socket;
    socket = null;
    own?.close();
  }

  return {
    start() {
      if (status !== 'off') return;
      become('connecting');
      connect();
    },
    stop() {
      drop();
      tries = 0;
      become('off');
    },
    watch(id) {
      const entry = { id };
      requests = [...requests, entry];
      watchNewest();
      return () => {
        requests = requests.filter((each) => each !== entry);
        watchNewest();
      };
    },
    reconnectNow() {
      if (status !== 'lost') return;
      tries = 0;
      drop();
      connect();
    },
    status: () => status,
    onMessage(listener) {
      messages.add(listener);
      return () => messages.delete(listener);
    },
    onStatus(listener) {
      statuses.add(listener);
      return () => statuses.delete(listener);
    },
    onWatch(listener) {
      watches.add(listener);
      return () => watches.delete(listener);
    },
  };
}
