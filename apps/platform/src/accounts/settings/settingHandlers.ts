import {
  type InstallationSettings,
  OLD_SETTING_NAMES,
  settingMethods,
} from '@heron/contract/accounts/settingMethods.ts';
import { settings } from '@heron/database/schema/accounts.ts';
import { inTransaction } from '@heron/database/transaction.ts';
import type { MethodHandler } from '../../gateway/methods.ts';
import type { AccountDeps } from '../core/accountDeps.ts';
import { writeAudit } from '../core/audit.ts';
import { createEditorGuard, requireFreshProof } from '../core/guards.ts';
import { getInstallationSettings } from '../core/settings.ts';

/** Returns the handlers of the settings of the installation. */
export function createSettingHandlers({ database }: AccountDeps): MethodHandler[] {
  const forEditors = createEditorGuard(database);
  return [
    forEditors(settingMethods.getSettings, 'admin', () => getInstallationSettings(database.orm)),
    forEditors(settingMethods.setSettings, 'admin', async (wanted, { session, address }) => {
      await requireFreshProof(database.orm, session);
      return inTransaction(database, async (tx) => {
        // Concurrent changes wait for each other.
        await tx.select().from(settings).for('update');
        const before = await getInstallationSettings(tx);
        const changed = Object.entries(wanted).flatMap(([name, value]) => {
          // The contract accepts these names only.
          const setting = name as keyof InstallationSettings;
          return value === undefined || value === before[setting] ? [] : [{ setting, value }];
        });
        if (changed.length === 0) return before;
        await tx.update(settings).set(Object.fromEntries(changed.map(({ setting, value }) => [setting, value])));
        const details = Object.fromEntries(changed.map(({ setting, value }) => [OLD_SETTING_NAMES[setting], value]));
        await writeAudit(tx, { action: 'settings.change', actorUid: session.uid, targetUid: null, address, details });
        return getInstallationSettings(tx);
      });
    }),
  ];
}
