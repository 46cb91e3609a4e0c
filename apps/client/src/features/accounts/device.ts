import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { ApiError } from '../../lib/api.ts';
import { forgetBasepass, type SavedAccount, saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { send } from '../../lib/server.ts';
import { labelsOf } from './labels.ts';

/** Lets this device log in by itself from now on; null when the server would not, which is no reason to stop a login. */
export async function rememberDevice(): Promise<string | null> {
  try {
    const { basepass } = await send(deviceMethods.rememberDevice, {});
    return basepass;
  } catch {
    return null;
  }
}

/**
 * Logs a saved account in by its device. The token changes at every use. Windows take turns with it where they can: one that
 * shows an old token more than ten seconds late looks like a thief. A token that the server does not know any more is forgotten here too.
 *
 * @returns null when the account has no token any more
 * @throws ApiError `device_unknown`; `second_factor_needed`, which leaves the token as it is
 */
export function logInDevice(account: SavedAccount): Promise<NewSession | null> {
  return oneWindow(async () => {
    const kept = savedAccounts().find(({ uid }) => uid === account.uid);
    if (!kept?.basepass) return null;
    const entered = await send(deviceMethods.deviceLogin, { basepass: kept.basepass, session: 'cookie' }).catch(
      (error: unknown) => {
        if (isDeviceUnknown(error)) forgetBasepass(account.uid);
        throw error;
      },
    );
    saveAccount({ ...labelsOf(entered.user_info), basepass: entered.basepass });
    return entered;
  });
}

/** Whether the server says that this device does not log in by itself any more. */
export function isDeviceUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'device_unknown';
}

function oneWindow<Result>(act: () => Promise<Result>): Promise<Result> {
  // Plain HTTP beyond this machine has no locks.
  return navigator.locks ? navigator.locks.request('heron.device', act) : act();
}
