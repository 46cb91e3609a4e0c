import { AUDITED_SETTINGS } from '@heron/contract/accounts/auditedSettings.ts';
import { type InstallationSettings, settingMethods } from '@heron/contract/accounts/settingMethods.ts';
import { settings } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { createEditorGuard, requireFreshProof } from '../core/guards.ts';
import type { Queries } from '../core/queries.ts';
import { getInstallationSettings } from '../core/settings.ts';

/** Columns by their names in the contract. */
const COLUMNS = {
  passwordLeast: 'passwordMinLength',
  registerByName: 'registerByName',
  registerByEmail: 'registerByEmail',
  registerByPhone: 'registerByPhone',
  registerByProvider: 'registerByProvider',
  loginByPhone: 'loginByPhone',
  editorsNeedSecondFactor: 'editorsNeedSecondFactor',
  tellUnknownAccounts: 'revealUnknownAccounts',
  sessionInAddress: 'sessionInAddress',
} as const satisfies Record<keyof InstallationSettings, keyof typeof settings.$inferSelect>;

/** Returns the handlers of the settings of the installation. */
export function createSettingHandlers({ database }: AccountDeps): MethodHandler[] {
  const forEditors = createEditorGuard(database);
  return [
    forEditors(settingMethods.getSettings, 'admin', () => readSettings(database.orm)),
    forEditors(settingMethods.setSettings, 'admin', async (wanted, { session, address }) => {
      await requireFreshProof(database.orm, session);
      return inTransaction(database, async (tx) => {
        // Concurrent changes wait for each other.
        await tx.select().from(settings).for('update');
        const before = await readSettings(tx);
        const changed = Object.entries(wanted).flatMap(([name, value]) => {
          // The contract accepts these names only.
          const setting = name as keyof InstallationSettings;
          return value === undefined || value === before[setting] ? [] : [{ setting, value }];
        });
        if (changed.length === 0) return before;
        await tx
          .update(settings)
          .set(Object.fromEntries(changed.map(({ setting, value }) => [COLUMNS[setting], value])));
        const details = Object.fromEntries(changed.map(({ setting, value }) => [AUDITED_SETTINGS[setting], value]));
        await writeAudit(tx, { action: 'settings.change', actorUid: session.uid, targetUid: null, address, details });
        return readSettings(tx);
      });
    }),
  ];
}

/** Returns the settings by their names in the contract. */
async function readSettings(orm: Queries): Promise<InstallationSettings> {
  const row = await getInstallationSettings(orm);
  const named = Object.entries(COLUMNS).map(([name, column]) => [name, row[column]]);
  // By its type, COLUMNS has a column for each name of the contract.
  return Object.fromEntries(named) as InstallationSettings;
}
