import http from 'node:http';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { SocksClient } from 'socks';
import { ConnectionFailed, type ConnectionFault, tcpFault, tlsFault } from './fault.ts';
import { type Egress, type ProxyServer, proxyLabel } from './proxy.ts';

/** Host and port to connect to. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** Whether to use TLS, with a certificate for `host`. */
  readonly secure: boolean;
}

/** Steps of making a connection. A name is resolved by the proxy, if there is one. */
export type DialStep = 'dns' | 'tcp' | 'proxy' | 'tls';

/** Time limit of each step. */
const STEP_MS = 5_000;
/** Idle connections are probed at this interval, so that a dead one is recognised. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Opens a connection to a host, directly or through a proxy. Every connection to a venue outside this machine, REST and
 * WebSocket alike, uses this function.
 *
 * @param done called after each step that has succeeded
 * @throws ConnectionFailed no part of a request has been sent
 */
export async function dial(
  target: DialTarget,
  egress: Egress,
  done: (step: DialStep) => void = () => {},
): Promise<Socket> {
  if (egress.via === 'invalid') throw new ConnectionFailed({ kind: 'proxy_invalid', source: egress.source });
  const { host, port, secure } = target;
  const socket =
    egress.via === 'direct' ? await openTcp(host, port, done) : await openTunnel(target, egress.proxy, done);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  if (!secure) return socket;
  const encrypted = await startTls(socket, host, (error) => tlsFault(error, host), {
    kind: 'timeout',
    host,
    step: 'tls',
  });
  done('tls');
  return encrypted;
}

function openTcp(host: string, port: number, done: (step: DialStep) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, autoSelectFamily: true });
    const fail = (fault: ConnectionFault, cause?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new ConnectionFailed(fault, cause));
    };
    // The event below is not emitted for addresses.
    let resolved = net.isIP(host) !== 0;
    const timer = setTimeout(
      () => fail(resolved ? { kind: 'timeout', host, step: 'tcp' } : { kind: 'dns', host }),
      STEP_MS,
    );
    socket.once('lookup', (error) => {
      if (error === null && !resolved) {
        resolved = true;
        done('dns');
      }
    });
    const onError = (error: Error) => fail(tcpFault(error, host), error);
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      done('tcp');
      resolve(socket);
    });
  });
}

function startTls(
  socket: Socket,
  host: string,
  faultOf: (error: unknown) => ConnectionFault,
  late: ConnectionFault,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // An address has no server name.
    const name = net.isIP(host) === 0 ? { servername: host } : {};
    const encrypted = tls.connect({ socket, host, ...name, ALPNProtocols: ['http/1.1'] });
    const fail = (fault: ConnectionFault, cause?: unknown) => {
      clearTimeout(timer);
      encrypted.destroy();
      socket.destroy();
      reject(new ConnectionFailed(fault, cause));
    };
    const timer = setTimeout(() => fail(late), STEP_MS);
    const onError = (error: Error) => fail(faultOf(error), error);
    encrypted.once('error', onError);
    encrypted.once('secureConnect', () => {
      clearTimeout(timer);
      encrypted.off('error', onError);
      resolve(encrypted);
    });
  });
}

async function openTunnel(target: DialTarget, proxy: ProxyServer, done: (step: DialStep) => void): Promise<Socket> {
  const unreachable: ConnectionFault = { kind: 'proxy_unreachable', proxy: proxyLabel(proxy) };
  let socket: Socket;
  try {
    socket = await openTcp(proxy.host, proxy.port, () => {});
    if (proxy.scheme === 'https') socket = await startTls(socket, proxy.host, () => unreachable, unreachable);
  } catch (error) {
    throw new ConnectionFailed(unreachable, error);
  }
  const tunnel =
    proxy.scheme === 'socks5' ? await socksTunnel(target, proxy, socket) : await httpTunnel(target, proxy, socket);
  done('proxy');
  return tunnel;
}

/** Opens a tunnel of an HTTP proxy by `CONNECT`. */
function httpTunnel({ host, port }: DialTarget, proxy: ProxyServer, socket: Socket): Promise<Socket> {
  const label = proxyLabel(proxy);
  const { credentials } = proxy;
  const authorization =
    credentials === null
      ? {}
      : {
          'proxy-authorization': `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`,
        };
  const authority = `${net.isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const request = http.request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization },
      createConnection: () => socket,
      timeout: STEP_MS,
    });
    const fail = (fault: ConnectionFault, cause?: unknown) => {
      request.destroy();
      socket.destroy();
      reject(new ConnectionFailed(fault, cause));
    };
    const refused: ConnectionFault = { kind: 'proxy_refused', proxy: label, host };
    request.once('timeout', () => fail(refused));
    request.on('error', (error) => fail(refused, error));
    request.once('connect', ({ statusCode }, tunnel: Socket, head) => {
      if (statusCode === 407) return fail({ kind: 'proxy_auth', proxy: label });
      if (statusCode !== 200) return fail(refused);
      if (head.length > 0) tunnel.unshift(head);
      tunnel.setTimeout(0);
      resolve(tunnel);
    });
    // Some proxies send a refusal as an ordinary HTTP response.
    request.once('response', ({ statusCode }) =>
      fail(statusCode === 407 ? { kind: 'proxy_auth', proxy: label } : refused),
    );
    request.end();
  });
}

async function socksTunnel({ host, port }: DialTarget, proxy: ProxyServer, socket: Socket): Promise<Socket> {
  const { credentials } = proxy;
  try {
    const { socket: tunnel } = await SocksClient.createConnection({
      proxy: {
        host: proxy.host,
        port: proxy.port,
        type: 5,
        ...(credentials !== null && { userId: credentials.user, password: credentials.password }),
      },
      command: 'connect',
      destination: { host, port },
      existing_socket: socket,
      timeout: STEP_MS,
    });
    return tunnel;
  } catch (error) {
    socket.destroy();
    const label = proxyLabel(proxy);
    const message = error instanceof Error ? error.message : '';
    // The library has no codes: its text shows that the proxy refuses the method or the password.
    if (/authentication/i.test(message)) throw new ConnectionFailed({ kind: 'proxy_auth', proxy: label }, error);
    throw new ConnectionFailed({ kind: 'proxy_refused', proxy: label, host }, error);
  }
}
