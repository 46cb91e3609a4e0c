import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CODE_IDENTITY, formatPairingCode, parsePairingCode } from '@heron/contract/bots/pairing.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPairing } from './pairing.ts';
import { openPairingFile } from './pairingFile.ts';

const MINUTE = 60_000;
let folder: string;
let now: number;
let ended: number;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'heron-pairing-'));
  now = 1_000_000;
  ended = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the pairing as a start of the bot host does. */
const start = () =>
  openPairing(
    openPairingFile(folder),
    () => now,
    () => {
      ended += 1;
    },
  );

test('a bot host that is not paired has a code for 15 minutes, which works once', () => {
  const pairing = start();
  const { code } = pairing.state();
  expect(code?.text).toMatch(/^([2-9A-HJ-NP-Z]{4}-){7}[2-9A-HJ-NP-Z]{4}$/);
  expect(pairing.secretOf(CODE_IDENTITY)?.toString()).toBe(parsePairingCode(code?.text ?? ''));
  now += 15 * MINUTE - 1;
  expect(pairing.holds(CODE_IDENTITY)).toBe(true);
  now += 1;
  expect([pairing.holds(CODE_IDENTITY), pairing.secretOf(CODE_IDENTITY), pairing.join('late')]).toEqual([
    false,
    null,
    null,
  ]);
  pairing.newCode();
  expect(pairing.state().code?.text).not.toBe(code?.text);
  expect(pairing.join('a Heron')).not.toBeNull();
  expect([pairing.join('another'), pairing.secretOf(CODE_IDENTITY)]).toEqual([null, null]);
});

test('the old pairing is valid until the new key is used, also after a lost response', () => {
  const first = start();
  const old = first.join('first');
  first.used(old?.identity ?? '');
  const pairing = start();
  expect([pairing.state().paired?.platform, pairing.state().code]).toEqual(['first', null]);
  pairing.newCode();
  const lost = pairing.join('lost');
  expect([pairing.holds(old?.identity ?? ''), pairing.state().paired?.platform]).toEqual([true, 'first']);
  pairing.newCode();
  const next = pairing.join('second');
  expect(pairing.holds(lost?.identity ?? '')).toBe(false);
  expect(ended).toBe(1);
  pairing.used(next?.identity ?? '');
  expect(ended).toBe(2);
  expect([pairing.holds(old?.identity ?? ''), start().state().paired?.platform]).toEqual([false, 'second']);
  expect(
    start()
      .secretOf(next?.identity ?? '')
      ?.toString('hex'),
  ).toBe(next?.key);
  pairing.end();
  expect([start().holds(next?.identity ?? ''), start().state().paired]).toEqual([false, null]);
});

test('a bot host keeps its identity after a start, and only its owner reads its key', () => {
  const { instance } = start();
  expect(start().instance).toBe(instance);
  const file = path.join(folder, 'pairing.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  expect(start).toThrow(/chmod 600/);
  chmodSync(file, 0o600);
  writeFileSync(file, '{"instance":"x"}');
  expect(start).toThrow(/pair this bot host again/);
});

test('a code is read tolerantly, and nothing else is a code', () => {
  const code = formatPairingCode(Uint8Array.from({ length: 20 }, (_, index) => index * 13));
  expect(parsePairingCode(` ${code.toLowerCase().replaceAll('-', ' ')}\n`)).toBe(code.replaceAll('-', ''));
  expect(formatPairingCode(new Uint8Array(20).fill(255))).toBe(Array(8).fill('ZZZZ').join('-'));
  for (const other of ['', code.slice(1), `${code}2`, code.replace(/./, 'I'), code.replace(/./, '0')]) {
    expect(parsePairingCode(other)).toBeNull();
  }
});
