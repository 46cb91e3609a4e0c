import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPublicAddress } from '../src/gateway/publicAddress.ts';
import { AddressRefused, createOutgoing } from '../src/notify/outgoing.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../src/testing/webhookReceiver.ts';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.stop());

const leads = (...addresses: string[]) => {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name: string) => {
      asked.push(name);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
};

test.each([
  ['http://heron.example/', 'not encrypted'],
  ['ftp://heron.example/', 'no web address'],
  ['file:///etc/passwd', 'a file'],
  ['gopher://heron.example/', 'no web address'],
  ['javascript:alert(1)', 'a script'],
  ['', 'nothing'],
  ['https://', 'no name'],
  ['https://127.0.0.1/', 'this machine'],
  ['https://127.1/', 'this machine, shortened'],
  ['https://0x7f.1/', 'this machine, in hex'],
  ['https://0177.0.0.1/', 'this machine, in octal'],
  ['https://2130706433/', 'this machine, as a number'],
  ['https://127.0.0.1./', 'this machine, with a dot'],
  ['https://0.0.0.0/', 'any of this machine'],
  ['https://[::1]/', 'this machine'],
  ['https://[::]/', 'any of this machine'],
  ['https://[::ffff:127.0.0.1]/', 'this machine, mapped'],
  ['https://[::ffff:8.8.8.8]/', 'mapped'],
  ['https://[64:ff9b::7f00:1]/', 'this machine, translated'],
  ['https://[2002:7f00:1::]/', 'this machine, by 6to4'],
  ['https://[2001:0:7f00:1::]/', 'Teredo'],
  ['https://169.254.169.254/latest/meta-data/', 'metadata of a cloud'],
  ['https://[fd00:ec2::254]/', 'metadata of a cloud'],
  ['https://100.100.100.200/', 'metadata of a cloud'],
  ['https://10.0.0.1/', 'a private network'],
  ['https://172.31.255.255/', 'a private network'],
  ['https://192.168.1.1/', 'a private network'],
  ['https://198.18.0.1/', 'benchmarks'],
  ['https://224.0.0.1/', 'many'],
  ['https://255.255.255.255/', 'all'],
  ['https://[fe80::1]/', 'a link'],
  ['https://[ff02::1]/', 'many'],
  ['https://heron.example:22/', 'a port of something else'],
  ['https://heron.example:25/', 'a port of something else'],
])('%s is rejected before any DNS query: %s', async (url) => {
  const { asked, resolve } = leads('8.8.8.8');
  const outgoing = createOutgoing({ allowPrivate: false, resolve });
  expect(() => outgoing.check(url)).toThrow(AddressRefused);
  await expect(outgoing.post(url, {}, '')).rejects.toThrow(AddressRefused);
  expect(asked).toEqual([]);
});

test.each([
  [['127.0.0.1']],
  [['::1']],
  [['10.1.2.3']],
  [['169.254.169.254']],
  [['::ffff:127.0.0.1']],
  [['fe80::1%eth0']],
  [['8.8.8.8', '127.0.0.1']],
  [['2606:4700::1111', 'fd00::1']],
])('a name that resolves to %j is rejected without a connection', async (addresses) => {
  const outgoing = createOutgoing({ allowPrivate: false, resolve: leads(...addresses).resolve });
  outgoing.check('https://innocent.example/');
  await expect(outgoing.post(`https://innocent.example:${receiver.port}/`, {}, '')).rejects.toThrow(AddressRefused);
  expect(receiver.received).toEqual([]);
});

test('the name of this machine is rejected', async () => {
  const outgoing = createOutgoing({ allowPrivate: false });
  await expect(outgoing.post(`https://localhost:${receiver.port}/`, {}, '')).rejects.toThrow(AddressRefused);
});

test('public addresses are accepted', () => {
  const outgoing = createOutgoing({ allowPrivate: false });
  for (const url of [
    'https://hooks.example/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://a.example:3000/',
  ])
    outgoing.check(url);
});

test('a name is resolved once, and the connection uses the checked address', async () => {
  let asked = 0;
  const outgoing = createOutgoing({
    allowPrivate: true,
    // The name resolves to another address the second time.
    async resolve() {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }];
    },
  });
  const url = `http://changes.example:${receiver.port}/x`;
  expect(await outgoing.post(url, { 'content-type': 'text/plain' }, 'words 字')).toMatchObject({ status: 204 });
  expect(asked).toBe(1);
  expect(receiver.received).toMatchObject([
    { headers: { host: `changes.example:${receiver.port}` }, body: 'words 字' },
  ]);
});

test('a redirect is not followed', async () => {
  const other = await startWebhookReceiver();
  receiver.respond = (response) => void response.writeHead(307, { location: other.url }).end();
  const outgoing = createOutgoing({ allowPrivate: true });
  expect(await outgoing.post(receiver.url, {}, 'x')).toMatchObject({ status: 307 });
  expect(other.received).toEqual([]);
  await other.stop();
});

test('a long response is truncated and a slow one times out', async () => {
  receiver.respond = (response) => {
    response.writeHead(200);
    const more = () => void (response.destroyed || response.write(Buffer.alloc(64 * 1_024), () => setImmediate(more)));
    more();
  };
  const outgoing = createOutgoing({ allowPrivate: true, timeoutMs: 2_000 });
  const { text } = await outgoing.post(receiver.url, {}, 'x');
  expect(text.length).toBeLessThanOrEqual(64 * 1_024);
  receiver.respond = () => {};
  const hasty = createOutgoing({ allowPrivate: true, timeoutMs: 100 });
  await expect(hasty.post(receiver.url, {}, 'x')).rejects.toThrow();
  receiver.respond = (response) => void response.writeHead(200).write('begun');
  await expect(hasty.post(receiver.url, {}, 'x')).rejects.toThrow();
  const unnamed = createOutgoing({ allowPrivate: true, timeoutMs: 100, resolve: () => new Promise(() => {}) });
  await expect(unnamed.post('http://slow.example/', {}, 'x')).rejects.toThrow();
});

test('a protocol upgrade fails at once', async () => {
  receiver.respond = ({ socket }) =>
    void socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
  const outgoing = createOutgoing({ allowPrivate: true, timeoutMs: 1_000 });
  await expect(outgoing.post(receiver.url, {}, 'x')).rejects.toThrow();
  receiver.respond = ({ socket }) => void socket?.end();
  await expect(outgoing.post(receiver.url, {}, 'x')).rejects.toThrow();
});

test('another address of a name is tried when one fails', async () => {
  const outgoing = createOutgoing({ allowPrivate: true, resolve: leads('127.0.0.9', '127.0.0.1').resolve });
  expect(await outgoing.post(`http://two.example:${receiver.port}/`, {}, 'x')).toMatchObject({ status: 204 });
});

test('networks of this machine are not public, whatever their addresses', () => {
  const own = {
    eth0: [
      { address: '2606:4700:9::5', cidr: '2606:4700:9::5/64' },
      { address: '9.9.9.9', cidr: '9.9.9.9/24' },
    ],
    tun0: [{ address: '1.1.1.1', cidr: null }],
    odd: [{ address: '9.9.9.9', cidr: '9.9.9.9/0' }],
  };
  for (const address of ['2606:4700:9::5', '2606:4700:9::99', '9.9.9.9', '9.9.9.1', '1.1.1.1'])
    expect(isPublicAddress(address, own), address).toBe(false);
  for (const address of ['2606:4700:8::5', '9.9.8.9', '1.1.1.2']) expect(isPublicAddress(address, own)).toBe(true);
});
