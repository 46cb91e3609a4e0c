import { settings } from '@heron/database/schema/accounts.ts';
import type { Queries } from '../core/queries.ts';

/**
 * Closes every way of registration, because an installation that has its administrator belongs to somebody. The
 * administrator opens them again in the settings of the installation.
 */
export async function closeRegistration(tx: Queries): Promise<void> {
  await tx
    .update(settings)
    .set({ registerByName: false, registerByEmail: false, registerByPhone: false, registerByProvider: false });
}
