import { connect, type Socket } from 'node:net';
import os from 'node:os';

/**
 * Floods the stream of a Heron until it is killed: `url token bot streams messagesASecond`. It implements the protocol
 * itself, because Node's WebSocket is too slow, and reconnects after each disconnect.
 */
const [url = '', token = '', bot = '', streams = '1', messages = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const perSecond = Number(messages);
const MASK = [0, 0, 0, 0];
/** Frames per write when messages have no pause between them. */
const AT_ONCE = 1_000;

/** Encodes a text message as clients send it: masked, with a mask of zeros. */
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
    // Without this delay, the request limit alone would reject the reconnects.
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

// The low priority imitates a separate machine: the flooding program must not take CPU time from the processes under test.
os.setPriority(os.constants.priority.PRIORITY_LOW);
for (let n = 0; n < Number(streams); n++) flood();
