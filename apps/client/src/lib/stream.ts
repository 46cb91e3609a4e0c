import { STREAM_CLOSE, type StreamMessage, type StreamRequest } from '@heron/contract/bots/stream.ts';

/** The part of WebSocket that the client needs; tests inject their own. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event?: { code: number }) => void) | null;
  send(data: string): void;
  close(): void;
}

/** `off`: nobody asked. `connecting`: first try. `open`. `lost`: it was or should be there and is being tried again. */
export type StreamStatus = 'off' | 'connecting' | 'open' | 'lost';

export interface StreamSettings {
  readonly open: () => Socket;
  /** The server ended the connection because the session has ended; there is no use in trying again. */
  readonly onLoggedOut?: () => void;
  /** 0 to 1, spreads the retries of many clients. */
  readonly random?: () => number;
  readonly setTimer?: (act: () => void, ms: number) => unknown;
  readonly clearTimer?: (timer: unknown) => void;
}

export interface Stream {
  /** Connects, and stays connected until `stop`. */
  start(): void;
  stop(): void;
  /**
   * Has the details of a bot pushed until the returned function is called; survives reconnects. The latest request wins,
   * since a page stays mounted below the next one.
   */
  watch(id: string): () => void;
  /** Tries at once instead of waiting: the network came back, the page is looked at again. */
  hurry(): void;
  status(): StreamStatus;
  onMessage(hear: (message: StreamMessage) => void): () => void;
  onStatus(hear: (status: StreamStatus) => void): () => void;
  /** Calls with each bot whose details begin to be pushed. */
  onWatch(hear: (id: string) => void): () => void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Failed tries assumed when the server closes a client that sends too much, so that the first wait is four seconds. */
const TRIES_WHEN_TOO_MANY = 3;
/** Silence of a watched bot after which its details are asked for again, which a dead line does not answer. */
const SILENCE_MS = 75_000;
const PROBE_MS = 10_000;

/** Wait before try `n` (from 0): doubling, capped, between half and all of it. */
export function retryDelayMs(n: number, random: number): number {
  const whole = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** n);
  return Math.round(whole * (0.5 + random / 2));
}

/** Keeps one WebSocket of the bot host alive: reconnects with backoff, watches the same bot again, notices dead lines. */
export function createStream(settings: StreamSettings): Stream {
  const { random = Math.random } = settings;
  const setTimer = settings.setTimer ?? ((act, ms) => setTimeout(act, ms));
  const clearTimer = settings.clearTimer ?? ((timer) => clearTimeout(timer as number));
  const messages = new Set<(message: StreamMessage) => void>();
  const statuses = new Set<(status: StreamStatus) => void>();
  const watches = new Set<(id: string) => void>();
  /** Requests to watch a bot, oldest first. */
  let wishes: readonly { readonly id: string }[] = [];
  let status: StreamStatus = 'off';
  let socket: Socket | null = null;
  let watched: string | null = null;
  let tries = 0;
  /** Connections in a row that the server ended because they were too many, or sent too much. */
  let refusals = 0;
  let retry: unknown;
  let silence: unknown;

  function become(next: StreamStatus) {
    if (status === next) return;
    status = next;
    for (const hear of [...statuses]) hear(next);
  }

  function request(id: string | null) {
    const message: StreamRequest = { type: 'watch', id };
    socket?.send(JSON.stringify(message));
  }

  function begin(id: string) {
    request(id);
    for (const hear of [...watches]) hear(id);
  }

  function watchNewest() {
    const id = wishes.at(-1)?.id ?? null;
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
      for (const hear of [...messages]) hear(message);
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
      const wish = { id };
      wishes = [...wishes, wish];
      watchNewest();
      return () => {
        wishes = wishes.filter((each) => each !== wish);
        watchNewest();
      };
    },
    hurry() {
      if (status !== 'lost') return;
      tries = 0;
      drop();
      connect();
    },
    status: () => status,
    onMessage(hear) {
      messages.add(hear);
      return () => messages.delete(hear);
    },
    onStatus(hear) {
      statuses.add(hear);
      return () => statuses.delete(hear);
    },
    onWatch(hear) {
      watches.add(hear);
      return () => watches.delete(hear);
    },
  };
}
