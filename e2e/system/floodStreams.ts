import { connect, type Socket } from 'node:net';
import os from 'node:os';

/**
 * A member's program that floods the stream of a Heron until it is ended: `url token bot streams messagesASecond`. It speaks the
 * protocol by itself, since a WebSocket of Node would slow it down, and connects again whenever it is cut off.
 */
const [url = '', token = '', bot = '', streams = '1', messages = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const perSecond = Number(messages);
const MASK = [0, 0, 0, 0];
/** Frames of one write where there is no pause between messages. */
const AT_ONCE = 1_000;

/** A text message as clients send it: masked, with zeros. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, ...MASK]), Buffer.from(text)]);
}

const request = frame(JSON.stringify({ type: 'watch', id: bot }));
const many = Buffer.concat(Array(AT_ONCE).fill(request));

function flood(): void {
  const socket = connect(Number(port), hostname);
  let timer: NodeJS.Timeout | undefined;
  socket.on('error', () => {});
  socket.once('data', () => {
    if (perSecond > AT_ONCE) keepWriting(socket);
    else timer = setInterval(() => socket.write(request), 1_000 / perSecond);
  });
  socket.resume();
  socket.on('close', () => {
    clearInterval(timer);
    // At once would be answered by the limit of requests alone.
    setTimeout(flood, 100);
  });
  const headers = [`host: ${hostname}:${port}`, `authorization: Bearer ${token}`, 'connection: upgrade'];
  const upgrade = ['upgrade: websocket', 'sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=='];
  socket.write(`GET /bot/stream HTTP/1.1\r\n${[...headers, ...upgrade].join('\r\n')}\r\n\r\n`);
}

function keepWriting(socket: Socket): void {
  while (socket.writable && socket.write(many));
  socket.once('drain', () => keepWriting(socket));
}

// As on a machine of its own: what the flooding program itself needs must not be taken from the processes it floods.
os.setPriority(os.constants.priority.PRIORITY_LOW);
for (let n = 0; n < Number(streams); n++) flood();
