import { TOTP } from 'otpauth';
import { vi } from 'vitest';
import type { TestPlatform } from './testPlatform.ts';

/** In the middle of a step of 30 seconds the clock stands still, so that no code runs out while it is sent. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
}

/** The code that an app shows, so many steps of 30 seconds from now. */
export function codeOf(uri: string, steps = 0): string {
  return appOf(uri).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Switches an authenticator app on. @returns what the QR code said, and the recovery codes */
export async function addApp(heron: TestPlatform, token: string): Promise<{ uri: string; recoveryCodes: string[] }> {
  const headers = { authorization: `Bearer ${token}` };
  const begun = await heron.send('System.SecondFactor.beginTotp', {}, headers);
  const uri = String(begun.data.uri);
  const confirmed = await heron.send('System.SecondFactor.confirmTotp', { code: codeOf(uri) }, headers);
  if (confirmed.error !== null) throw new Error(`the app was refused: ${confirmed.error}`);
  // As if the code that confirmed it was one of long ago.
  await heron.database.pool.query('update accounts.totps set last_step = 0 where last_step > 0');
  return { uri, recoveryCodes: confirmed.data.recovery_codes as string[] };
}

function appOf(uri: string): TOTP {
  const { searchParams } = new URL(uri);
  return new TOTP({ secret: searchParams.get('secret') ?? '' });
}
