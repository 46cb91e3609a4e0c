import type { WebSocket, WebSocketServer } from 'ws';
import type { FaultScript } from './faultScript.ts';

/** An event that is held back is sent after this long even when nothing follows it. */
const MAX_HELD_MS = 1_000;

type HeldEvent = { data: string | Uint8Array; after: number };
const heldBack = new WeakMap<WebSocket, HeldEvent[]>();

/**
 * Sends an event to a client; drops, repeats, delays or holds it back as the script says.
 *
 * @param name stream of the event, as `btcusdt@trade`; `user executionReport` for an account's own
 */
export function sendEvent(
  script: FaultScript | undefined,
  socket: WebSocket,
  name: string,
  data: string | Uint8Array,
): void {
  if (!script) {
    socket.send(data);
    return;
  }
  let copies = 1;
  let delayMs = 0;
  let by = 0;
  for (const fault of script.inject(['lose', 'duplicate', 'delay', 'reorder'], `EVENT ${name}`)) {
    if (fault.kind === 'lose') return;
    if (fault.kind === 'duplicate') copies++;
    else if (fault.kind === 'delay') delayMs += fault.delayMs;
    else by = Math.max(by, fault.by);
  }
  for (; copies > 0; copies--) {
    if (by > 0) holdBack(socket, data, by);
    else if (delayMs > 0) once(delayMs, () => send(socket, data));
    else send(socket, data);
  }
}

/**
 * Closes sockets when the script says so, at once or after a notice.
 *
 * @param urlOf returns the address a socket was opened with, as `/ws-api/v3`
 * @param shutdownNotice returns the event that announces a shutdown to the sockets of an address; undefined for none
 */
export function closeSockets(
  script: FaultScript,
  server: WebSocketServer,
  urlOf: (socket: WebSocket) => string,
  shutdownNotice: (url: string) => string | undefined,
): void {
  const struck = (kind: 'cut' | 'shutdown') =>
    [...server.clients].flatMap((socket) => {
      const [fault] = script.inject([kind], `CONNECT ${pathOf(urlOf(socket))}`);
      return fault === undefined ? [] : [{ socket, fault }];
    });
  script.onAdd(({ kind }) => {
    if (kind === 'cut') for (const { socket } of struck('cut')) socket.terminate();
    if (kind !== 'shutdown') return;
    for (const { socket, fault } of struck('shutdown')) {
      const notice = shutdownNotice(urlOf(socket));
      if (notice !== undefined) socket.send(notice);
      if (fault.kind === 'shutdown') once(fault.noticeMs, () => socket.close(1001));
    }
  });
}

/** Returns an address without its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Whether the script rejects a new connection. @param path of its address */
export function rejectsConnection(script: FaultScript | undefined, path: string): boolean {
  return script !== undefined && script.inject(['cut'], `CONNECT ${path}`).length > 0;
}

function holdBack(socket: WebSocket, data: string | Uint8Array, after: number): void {
  const heldEvents = heldBack.get(socket) ?? [];
  heldBack.set(socket, heldEvents);
  const item = { data, after };
  heldEvents.push(item);
  once(MAX_HELD_MS, () => {
    const at = heldEvents.indexOf(item);
    if (at === -1) return;
    heldEvents.splice(at, 1);
    socket.send(data);
  });
}

/** Sends an event, then the ones that have been held back long enough. */
function send(socket: WebSocket, data: string | Uint8Array): void {
  socket.send(data);
  const heldEvents = heldBack.get(socket);
  if (heldEvents === undefined) return;
  for (const item of heldEvents) item.after--;
  for (let i = 0; i < heldEvents.length; ) {
    const item = heldEvents[i] as HeldEvent;
    if (item.after > 0) i++;
    else {
      heldEvents.splice(i, 1);
      socket.send(item.data);
    }
  }
}

/** Calls an action after some milliseconds of the machine's time; it does not keep the process running. */
function once(ms: number, action: () => void): void {
  setTimeout(action, ms).unref();
}
