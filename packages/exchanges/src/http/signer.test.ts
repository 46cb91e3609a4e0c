import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { signBinanceRequest } from '../binance/signRequest.ts';
import { signMexcRequest } from '../mexc/signRequest.ts';
import { signText } from './signer.ts';

/** Example of Binance's documents, rest-api.md, "SIGNED endpoint example for POST /api/v3/order". */
const BINANCE_SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const BINANCE_ORDER =
  'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559';
const BINANCE_SIGNATURE = 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71';

/** Example of MEXC's documents, spot v3, "SIGNED". */
const MEXC_SECRET = '45d0b3c26f2644f19bfb98b07741b2f5';
const MEXC_ORDER = 'symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=1&price=11&recvWindow=5000&timestamp=1644489390087';
const MEXC_SIGNATURE = 'fd3e4e8543c5188531eb7279d68ae7d26a573d0fc5ab0d18eb692451654d837a';

test('HMAC signatures equal those of the documents of Binance and MEXC', () => {
  expect(signText(BINANCE_SECRET, BINANCE_ORDER)).toBe(BINANCE_SIGNATURE);
  expect(signText(MEXC_SECRET, MEXC_ORDER)).toBe(MEXC_SIGNATURE);
});

test('an Ed25519 signature equals the one of RFC 8032, section 7.1, test 1', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex').toString('base64');
  const pem = `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----`;
  const signature =
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';
  expect(signText(pem, '')).toBe(Buffer.from(signature, 'hex').toString('base64'));
});

test('a private key of another kind is rejected without its text', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => signText(pem, 'x')).toThrow('the private key is no Ed25519 key');
});

const PARAMS = { symbol: 'BTCUSDT', quantity: '0.01', recvWindow: 5_000, timestamp: 1_499_827_319_559 };

test.each(['GET', 'DELETE'])('a %s request of Binance has its parameters and its signature in the query', (method) => {
  const { query, body, headers } = signBinanceRequest({ key: 'k', secret: 's' }, method, PARAMS, 'signature');
  const [payload, signature] = query.split('&signature=');
  expect(signature).toBe(signText('s', payload ?? ''));
  expect(Object.fromEntries(new URLSearchParams(payload))).toMatchObject({ symbol: 'BTCUSDT', recvWindow: '5000' });
  expect(body).toBeUndefined();
  expect(headers).toEqual({ 'X-MBX-APIKEY': 'k' });
});

test('a POST request of Binance has its parameters and its signature in the body', () => {
  const { query, body, headers } = signBinanceRequest({ key: 'k', secret: 's' }, 'POST', PARAMS, 'signature');
  const [payload, signature] = body?.split('&signature=') ?? [];
  expect(signature).toBe(signText('s', payload ?? ''));
  expect(query).toBe('');
  expect(headers).toMatchObject({ 'Content-Type': 'application/x-www-form-urlencoded' });
});

test('an Ed25519 signature is escaped in a request of Binance', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { query } = signBinanceRequest({ key: 'k', secret }, 'GET', PARAMS, 'signature');
  const [payload = '', signature = ''] = query.split('&signature=');
  expect(signature).not.toMatch(/[+/=]/);
  const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
  expect(
    verify(null, Buffer.from(payload), createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), bytes),
  ).toBe(true);
});

test('a request of Binance with only a key name has no signature', () => {
  const parts = signBinanceRequest({ key: 'k', secret: 's' }, 'POST', {}, 'key');
  expect(parts).toMatchObject({ query: '', body: '', headers: { 'X-MBX-APIKEY': 'k' } });
});

test('a request of MEXC has its parameters in the query, whatever its method', () => {
  const { query, body, headers } = signMexcRequest({ key: 'k', secret: 's' }, 'POST', PARAMS, 'signature');
  const [payload, signature] = query.split('&signature=');
  expect(signature).toBe(signText('s', payload ?? ''));
  expect(body).toBeUndefined();
  expect(headers).toEqual({ 'X-MEXC-APIKEY': 'k', 'Content-Type': 'application/json' });
});
