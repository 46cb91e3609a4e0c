import type { Database } from '@heron/database/connect.ts';
import { settings } from '@heron/database/schema/accounts.ts';

/** Whether an administrator lets older clients send `sessionkey` and `sessionuid` in the address (findings-identity.md). */
export async function isSessionInAddressAllowed({ orm }: Database): Promise<boolean> {
  const [row] = await orm.select({ allowed: settings.sessionInAddress }).from(settings);
  return row?.allowed ?? false;
}
