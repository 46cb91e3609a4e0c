import { currentPlatform } from './platform.ts';

const KEY = 'heron.privacy';

/** The function by which a native shell lets the page close the app. */
interface NativeShell {
  readonly Capacitor?: { readonly Plugins?: { readonly App?: { exitApp(): Promise<void> } } };
}

/** Whether this person must be asked before anything else: at the first run on a phone. @see accounts.md 4 */
export function asksForPrivacy(): boolean {
  if (currentPlatform() === 'web') return false;
  try {
    return localStorage.getItem(KEY) === null;
  } catch {
    return true;
  }
}

export function agreeToPrivacy(): void {
  try {
    localStorage.setItem(KEY, '1');
  } catch {}
}

/** Ends the app where there is one; a browser's page cannot end itself. */
export function leaveApp(): void {
  void (globalThis as NativeShell).Capacitor?.Plugins?.App?.exitApp();
}
