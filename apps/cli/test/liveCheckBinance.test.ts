import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testLiveCheckOn } from './liveCheckTests.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const NODE = path.join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = path.join(ROOT, 'apps', 'cli', 'src', 'main.ts');

const stage = testLiveCheckOn('binance');

/** Runs the command as a user does, and types lines into it. @param onLine is called with each line of output */
async function command(typed: string, flags: readonly string[], onLine: (line: string, interrupt: () => void) => void) {
  const { rest, ws, wsApi } = stage.addresses;
  const addresses = ['--rest', rest, '--ws', ws, '--ws-api', wsApi ?? '', '--limit', '20'];
  const child = spawn(NODE, [MAIN, 'live-check', '--venue', 'binance-demo', ...addresses, ...flags], { cwd: ROOT });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
    onLine(String(text), () => child.kill('SIGINT'));
  });
  child.stdin.end([stage.keys.key, stage.keys.secret, typed, ''].join('\n'));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}

const ignore = () => {};

describe('heron live-check', () => {
  test('prints one JSON document and ends with 0', async () => {
    const { code, out } = await command('20', ['--json'], ignore);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ venue: 'binance-demo', passed: true, limit: '20 USDT' });
  });

  test.each([['20.0'], [''], ['yes']])('does nothing when the limit is confirmed as "%s"', async (typed) => {
    const before = await stage.account();
    const { code, err } = await command(typed, [], ignore);
    expect(code).toBe(1);
    expect(err).toContain('was not confirmed');
    expect(await stage.account()).toEqual(before);
  });

  test('Ctrl-C cancels, sells and prints the report', async () => {
    const before = await stage.account();
    const { code, out } = await command('20', [], (line, interrupt) => {
      if (line.includes('passed          buy')) interrupt();
    });
    expect(code).toBe(1);
    expect(out).toContain('No order and no position of the check is left');
    expect(out).toContain('The check was interrupted.');
    await stage.expectUnchanged(before);
  });
});
