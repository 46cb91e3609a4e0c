import { deviceMethods } from '@heron/contract/accounts/deviceMethods.ts';
import type { NewSession } from '@heron/contract/accounts/entities.ts';
import { type SavedAccount, saveAccount, savedAccounts } from '../../lib/savedAccounts.ts';
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
 * Logs a saved account in by its device. The token changes at every use and only one window at a time may use it: an old one
 * would look stolen.
 *
 * @returns null when the account has no token any more
 */
export function logInDevice(account: SavedAccount): Promise<NewSession | null> {
  return oneWindow(async () => {
    const kept = savedAccounts().find(({ uid }) => uid === account.uid);
    if (!kept?.basepass) return null;
    const entered = await send(deviceMethods.deviceLogin, { basepass: kept.basepass, session: 'cookie' });
    saveAccount({ ...labelsOf(entered.user_info), basepass: entered.basepass });
    return entered;
  });
}

function oneWindow<Result>(act: () => Promise<Result>): Promise<Result> {
  // Plain HTTP beyond this machine has no locks.
  return navigator.locks ? navigator.locks.request('heron.device', act) : act();
}
