import { settings } from '@heron/database/schema/accounts.ts';
import type { Queries } from './queries.ts';

export type InstallationSettings = Omit<typeof settings.$inferSelect, 'single'>;

/** Returns the current settings of the installation. */
export async function getInstallationSettings(orm: Queries): Promise<InstallationSettings> {
  const [row] = await orm.select().from(settings);
  if (row === undefined) throw new Error('the row of settings is missing');
  return row;
}
