import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { ApiError } from '../../lib/api.ts';
import { forgetBasepass, type SavedAccount, saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
import { send } from '../../lib/server.ts';
import { labelsOf } from './labels.ts';

/**
 * Remembers this device for automatic sign-in. Returns null when the server rejects it, which must not stop the
 * sign-in.
 */
export async function rememberDevice(): Promise<string | null> {
  try {
    const { basepass } = await send(deviceMethods.rememberDevice, {});
    return basepass;
  } catch {
    return null;
  }
}

/**
 * Signs a saved account in with its device token, which changes at every use. Windows use it one after another where
 * locks exist. A token that is more than ten seconds outdated counts as stolen. A token that the server does not know
 * is deleted here too.
 *
 * @returns null when the account has no token any more
 * @throws ApiError `device_unknown`; `second_factor_needed`, which leaves the token as it is
 */
export function logInDevice(account: SavedAccount): Promise<NewSession | null> {
  return oneWindow(async () => {
    const saved = savedAccounts().find(({ uid }) => uid === account.uid);
    if (!saved?.basepass) return null;
    const entered = await send(deviceMethods.deviceLogin, { basepass: saved.basepass, session: 'cookie' }).catch(
      (error: unknown) => {
        if (isDeviceUnknown(error)) forgetBasepass(account.uid);
        throw error;
      },
    );
    saveAccount({ ...labelsOf(entered.userInfo), basepass: entered.basepass });
    return entered;
  });
}

/** Returns whether the server no longer accepts the token of this device. */
export function isDeviceUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'device_unknown';
}

function oneWindow<Result>(act: () => Promise<Result>): Promise<Result> {
  // Browsers have no locks over plain HTTP, except on this machine.
  return navigator.locks ? navigator.locks.request('heron.device', act) : act();
}
