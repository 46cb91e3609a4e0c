import { TOTP } from 'otpauth';
import { vi } from 'vitest';
import type { TestPlatform } from './testPlatform.ts';

/** Stops the clock in the middle of a step of 30 s, so that no code expires while it is sent. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
}

/** Returns the code that an app shows after this many steps of 30 s. */
export function codeOf(uri: string, steps = 0): string {
  return appOf(uri).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Enables an authenticator app. @returns the URI of the QR code, and the recovery codes */
export async function addApp(heron: TestPlatform, token: string): Promise<{ uri: string; recoveryCodes: string[] }> {
  const headers = { authorization: `Bearer ${token}` };
  const begun = await heron.send('System.SecondFactor.beginTotp', {}, headers);
  const uri = String(begun.data.uri);
  const confirmed = await heron.send('System.SecondFactor.confirmTotp', { code: codeOf(uri) }, headers);
  if (confirmed.error !== null) throw new Error(`the app was refused: ${confirmed.error}`);
  // Marks the confirming code as unused, so that tests can send a code of the same step.
  await heron.database.pool.query('update accounts.totps set last_step = 0 where last_step > 0');
  return { uri, recoveryCodes: confirmed.data.recovery_codes as string[] };
}

function appOf(uri: string): TOTP {
  const { searchParams } = new URL(uri);
  return new TOTP({ secret: searchParams.get('secret') ?? '' });
}
