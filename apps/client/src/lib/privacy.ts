import { currentPlatform } from './platform.ts';

const KEY = 'heron.privacy';

/** With this function of a native shell the page closes the app. */
interface NativeShell {
  readonly Capacitor?: { readonly Plugins?: { readonly App?: { exitApp(): Promise<void> } } };
}

/** Returns whether the user must accept the privacy policy first: at the first run on a phone. */
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

/** Closes the app in a native shell. A page in a browser cannot close itself. */
export function closeApp(): void {
  void (globalThis as NativeShell).Capacitor?.Plugins?.App?.exitApp();
}
