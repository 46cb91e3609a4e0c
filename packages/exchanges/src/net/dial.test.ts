import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeAuthority, type TestCertificate } from '../testing/certificates.ts';
import { startHttpProxy, startSocksProxy, type TestProxy, type TestProxyOptions } from '../testing/proxyServers.ts';
import { dial } from './dial.ts';
import type { ConnectionFault } from './fault.ts';
import { egressOf } from './proxy.ts';

const authority = makeAuthority();
const DIRECT = { via: 'direct' } as const;

beforeAll(() => {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.cert]);
});

/** A server that echoes what it receives by TLS, and the names that clients have requested. */
async function echoByTls(certificate: TestCertificate): Promise<{ port: number; names: string[] }> {
  const names: string[] = [];
  const server = tls.createServer(certificate, (socket) => {
    names.push(String(socket.servername));
    socket.pipe(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, names };
}

async function proxy(kind: 'http' | 'socks5', options: TestProxyOptions): Promise<TestProxy> {
  const started = await (kind === 'http' ? startHttpProxy(options) : startSocksProxy(options));
  onTestFinished(() => started.close());
  return started;
}

function through(url: string) {
  return egressOf('exchange.test', 443, { venue: null, installation: null, env: { HTTPS_PROXY: url } });
}

async function echoed(socket: Socket): Promise<string> {
  socket.write('are you there');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

async function faultOf(attempt: Promise<Socket>): Promise<ConnectionFault> {
  const error = await attempt.then(
    (socket) => {
      socket.destroy();
      throw new Error('the connection was made');
    },
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'ConnectionFailed' });
  return (error as { fault: ConnectionFault }).fault;
}

test.each(['http', 'socks5'] as const)(
  'a %s proxy with credentials leads to the host, whose certificate is checked',
  async (kind) => {
    const server = await echoByTls(authority.issue(['exchange.test']));
    const { port, tunnels: asked } = await proxy(kind, {
      user: 'a b',
      password: 'p@ss:word',
      route: () => server.port,
    });
    const steps: string[] = [];
    const egress = through(`${kind}://a%20b:p%40ss%3Aword@127.0.0.1:${port}`);
    const socket = await dial({ host: 'exchange.test', port: 443, secure: true }, egress, (step) => steps.push(step));
    expect(await echoed(socket)).toBe('are you there');
    // The proxy resolves the name, which is unknown on this machine.
    expect({ asked, names: server.names, steps }).toEqual({
      asked: ['exchange.test:443'],
      names: ['exchange.test'],
      steps: ['proxy', 'tls'],
    });
  },
);

test('a proxy with an https address is reached by TLS, and its certificate is checked', async () => {
  const server = await echoByTls(authority.issue(['exchange.test']));
  const route = () => server.port;
  const right = await startHttpProxy({ tls: authority.issue(['127.0.0.1']), route });
  onTestFinished(() => right.close());
  const socket = await dial(
    { host: 'exchange.test', port: 443, secure: true },
    through(`https://127.0.0.1:${right.port}`),
  );
  expect(await echoed(socket)).toBe('are you there');
  const wrong = await startHttpProxy({ tls: makeAuthority().issue(['127.0.0.1']), route });
  onTestFinished(() => wrong.close());
  const attempt = dial({ host: 'exchange.test', port: 443, secure: true }, through(`https://127.0.0.1:${wrong.port}`));
  expect(await faultOf(attempt)).toMatchObject({ kind: 'proxy_unreachable' });
  expect(wrong.tunnels).toEqual([]);
});

test.each(['http', 'socks5'] as const)(
  'each fault of a %s proxy has its own kind and contains no password',
  async (kind) => {
    const target = { host: 'exchange.test', port: 443, secure: true };
    const guarded = await proxy(kind, { user: 'u', password: 'right' });
    for (const credentials of ['u:wrong@', '']) {
      const fault = await faultOf(dial(target, through(`${kind}://${credentials}127.0.0.1:${guarded.port}`)));
      expect(fault).toEqual({ kind: 'proxy_auth', proxy: `${kind}://127.0.0.1:${guarded.port}` });
    }
    const strict = await proxy(kind, { route: () => null });
    const refused = await faultOf(dial(target, through(`${kind}://127.0.0.1:${strict.port}`)));
    expect(refused).toEqual({
      kind: 'proxy_refused',
      proxy: `${kind}://127.0.0.1:${strict.port}`,
      host: 'exchange.test',
    });
    await strict.close();
    const gone = await faultOf(dial(target, through(`${kind}://127.0.0.1:${strict.port}`)));
    expect(gone).toEqual({ kind: 'proxy_unreachable', proxy: `${kind}://127.0.0.1:${strict.port}` });
  },
);

test('an unreadable proxy address sends nothing', async () => {
  const fault = await faultOf(dial({ host: 'exchange.test', port: 443, secure: true }, through('gopher://x')));
  expect(fault).toEqual({ kind: 'proxy_invalid', source: 'HTTPS_PROXY' });
});

test.each([
  ['wrong_name', () => authority.issue(['elsewhere.test'])],
  ['expired', () => authority.issue(['localhost'], -2)],
  ['unknown_issuer', () => makeAuthority().issue(['localhost'])],
] as const)('a certificate with %s is rejected before anything is sent', async (reason, certificate) => {
  const { port, names } = await echoByTls(certificate());
  const fault = await faultOf(dial({ host: 'localhost', port, secure: true }, DIRECT));
  expect(fault).toEqual({ kind: 'tls', host: 'localhost', reason });
  expect(names.length).toBeLessThanOrEqual(1);
});

test('a host without TLS, a refusal and a missing address are different faults', async () => {
  const plain = net.createServer((socket) => {
    socket.resume().on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  expect(await faultOf(dial({ host: 'localhost', port, secure: true }, DIRECT))).toMatchObject({
    kind: 'tls',
    reason: 'handshake',
  });
  await new Promise((resolve) => plain.close(resolve));
  expect(await faultOf(dial({ host: 'localhost', port, secure: true }, DIRECT))).toEqual({
    kind: 'tcp_refused',
    host: 'localhost',
  });
  const unknown = { host: 'no-such-host.invalid', port: 443, secure: true };
  expect(await faultOf(dial(unknown, DIRECT))).toEqual({ kind: 'dns', host: 'no-such-host.invalid' });
});
