import type { WebSocket } from 'ws';
import type { FaultScript } from '../../faults/faultScript.ts';
import { sendEvent } from '../../faults/socketFaults.ts';

/** A listener with more unsent bytes than this is too slow and is disconnected. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;
const MAX_STREAMS = 1024;

type Listener = { socket: WebSocket; combined: boolean; streams: Set<string> };

/** The subscriptions of clients to streams, by Binance's control messages. */
export class Subscriptions {
  readonly #script: FaultScript | undefined;
  readonly #byStream = new Map<string, Set<Listener>>();
  readonly #onSubscribe: (name: string) => void;

  /** @param onSubscribe is called with each stream that gets a listener */
  constructor(script: FaultScript | undefined, onSubscribe: (name: string) => void) {
    this.#script = script;
    this.#onSubscribe = onSubscribe;
  }

  /** Whether a stream has listeners. */
  has(name: string): boolean {
    return this.#byStream.has(name);
  }

  /**
   * Accepts a connection.
   *
   * @param combined whether its events are wrapped with the name of their stream
   * @param names streams that it subscribes to from the start
   */
  accept(socket: WebSocket, combined: boolean, names: readonly string[]): void {
    const listener: Listener = { socket, combined, streams: new Set() };
    for (const name of names.slice(0, MAX_STREAMS)) this.#subscribe(listener, name);
    socket.on('message', (data, isBinary) => {
      socket.send(JSON.stringify(isBinary ? invalidJson : this.#control(listener, String(data))));
    });
    socket.on('close', () => {
      for (const name of listener.streams) this.#unsubscribe(listener, name);
    });
  }

  /**
   * Sends an event to the listeners of a stream.
   *
   * @param event is created only when there are listeners; undefined for none
   * @param subject name of the event for the fault script; default: the stream's name
   */
  push(name: string, event: () => object | undefined, subject = name): void {
    const listeners = this.#byStream.get(name);
    if (!listeners) return;
    const data = event();
    if (!data) return;
    const raw = JSON.stringify(data);
    const wrapped = `{"stream":"${name}","data":${raw}}`;
    for (const { socket, combined } of listeners) {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
      else sendEvent(this.#script, socket, subject, combined ? wrapped : raw);
    }
  }

  #subscribe(listener: Listener, name: string): void {
    listener.streams.add(name);
    let listeners = this.#byStream.get(name);
    if (!listeners) {
      listeners = new Set();
      this.#byStream.set(name, listeners);
    }
    listeners.add(listener);
    this.#onSubscribe(name);
  }

  #unsubscribe(listener: Listener, name: string): void {
    listener.streams.delete(name);
    const listeners = this.#byStream.get(name);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#byStream.delete(name);
  }

  /** Executes a control message. @returns the response */
  #control(listener: Listener, text: string): object {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return invalidJson;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return invalidJson;
    const { method, params, id } = message as { [name: string]: unknown };
    if (id !== null && !(typeof id === 'number' && Number.isSafeInteger(id)) && !isShortText(id)) {
      return { code: 2, msg: 'Invalid request: request ID must be an unsigned integer' };
    }
    switch (method) {
      case undefined:
        return { code: 2, msg: 'Invalid request: missing field `method` at line 1 column 1', id };
      case 'SUBSCRIBE':
      case 'UNSUBSCRIBE':
        return { ...this.#changeStreams(listener, method, params), id };
      case 'LIST_SUBSCRIPTIONS':
        return { result: [...listener.streams], id };
      case 'SET_PROPERTY':
      case 'GET_PROPERTY':
        return { ...property(listener, method, params), id };
      default:
        return {
          code: 2,
          msg: `Invalid request: unknown variant ${JSON.stringify(method)?.slice(0, 50)}, expected one of \`SUBSCRIBE\`, \`UNSUBSCRIBE\`, \`LIST_SUBSCRIPTIONS\`, \`SET_PROPERTY\`, \`GET_PROPERTY\` at line 1 column 1`,
          id,
        };
    }
  }

  #changeStreams(listener: Listener, method: 'SUBSCRIBE' | 'UNSUBSCRIBE', names: unknown): object {
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string' && name.length <= 100)) {
      return { code: 2, msg: 'Invalid request: params must be a list of stream names' };
    }
    if (method === 'SUBSCRIBE' && listener.streams.size + names.length > MAX_STREAMS) {
      return { code: 2, msg: 'Invalid request: too many parameters' };
    }
    for (const name of names as string[]) {
      if (method === 'SUBSCRIBE') this.#subscribe(listener, name);
      else this.#unsubscribe(listener, name);
    }
    return { result: null };
  }
}

/** Reads or sets a property of a connection; there is one, `combined`. */
function property(listener: Listener, method: 'SET_PROPERTY' | 'GET_PROPERTY', params: unknown): object {
  const [name, value] = Array.isArray(params) ? params : [];
  if (typeof name !== 'string') return { code: 2, msg: 'Invalid request: property name must be a string' };
  if (name !== 'combined') return { code: 0, msg: 'Unknown property' };
  if (method === 'GET_PROPERTY') return { result: listener.combined };
  if (typeof value !== 'boolean') return { code: 1, msg: 'Invalid value type: expected Boolean' };
  listener.combined = value;
  return { result: null };
}

const invalidJson = { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' };

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 36;
}
