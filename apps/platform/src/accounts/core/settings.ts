import { settings } from '@heron/database/schema/accounts.ts';
import type { Queries } from './queries.ts';

export type InstallationSettings = Omit<typeof settings.$inferSelect, 'single'>;

/** What an administrator has chosen for this installation, as it is now. */
export async function getInstallationSettings(orm: Queries): Promise<InstallationSettings> {
  const [row] = await orm.select().from(settings);
  if (row === undefined) throw new Error('the row of settings is missing');
  return row;
}
