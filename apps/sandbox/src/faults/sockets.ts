import type { WebSocket, WebSocketServer } from 'ws';
import type { FaultScript } from './fault-script.ts';

/** An event that is kept back is sent after this long even when nothing follows it. */
const LONGEST_KEPT_MS = 1_000;

type Kept = { data: string | Uint8Array; after: number };
const keptBack = new WeakMap<WebSocket, Kept[]>();

/**
 * Sends an event to a client, or loses, repeats, delays or keeps it back, as the script says.
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
  for (const fault of script.strike(['lose', 'duplicate', 'delay', 'reorder'], `EVENT ${name}`)) {
    if (fault.kind === 'lose') return;
    if (fault.kind === 'duplicate') copies++;
    else if (fault.kind === 'delay') delayMs += fault.delayMs;
    else by = Math.max(by, fault.by);
  }
  for (; copies > 0; copies--) {
    if (by > 0) keepBack(socket, data, by);
    else if (delayMs > 0) once(delayMs, () => send(socket, data));
    else send(socket, data);
  }
}

/**
 * Closes sockets when the script says so, and turns new ones away.
 *
 * @param pathOf path of the address a socket was opened with, as `/ws-api/v3`
 */
export function cutSockets(script: FaultScript, server: WebSocketServer, pathOf: (socket: WebSocket) => string): void {
  script.watch(({ kind }) => {
    if (kind !== 'cut') return;
    for (const socket of server.clients) {
      if (script.strike(['cut'], `CONNECT ${pathOf(socket)}`).length > 0) socket.terminate();
    }
  });
}

/** Whether the script turns a new connection away. @param path of its address */
export function refusesConnection(script: FaultScript | undefined, path: string): boolean {
  return script !== undefined && script.strike(['cut'], `CONNECT ${path}`).length > 0;
}

function keepBack(socket: WebSocket, data: string | Uint8Array, after: number): void {
  const kept = keptBack.get(socket) ?? [];
  keptBack.set(socket, kept);
  const item = { data, after };
  kept.push(item);
  once(LONGEST_KEPT_MS, () => {
    const at = kept.indexOf(item);
    if (at === -1) return;
    kept.splice(at, 1);
    socket.send(data);
  });
}

/** Sends, and lets those go that were kept back long enough. */
function send(socket: WebSocket, data: string | Uint8Array): void {
  socket.send(data);
  const kept = keptBack.get(socket);
  if (kept === undefined) return;
  for (const item of kept) item.after--;
  for (let i = 0; i < kept.length; ) {
    const item = kept[i] as Kept;
    if (item.after > 0) i++;
    else {
      kept.splice(i, 1);
      socket.send(item.data);
    }
  }
}

/** In the machine's time, whatever the market's; nobody stays alive for what is late. */
function once(ms: number, action: () => void): void {
  setTimeout(action, ms).unref();
}
