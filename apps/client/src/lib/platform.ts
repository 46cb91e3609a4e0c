export type Platform = 'android' | 'ios' | 'web';

/** A native shell adds these objects to the page; a browser has none of them. */
interface NativeShell {
  readonly Capacitor?: { getPlatform(): string };
}

/**
 * Returns the platform, from the native shell or from the browser's user agent. Newer iPads report as Macs, but with
 * touch.
 */
export function platformOf(device: { userAgent: string; touchPoints: number; shell?: string }): Platform {
  if (device.shell === 'android' || device.shell === 'ios') return device.shell;
  if (/Android/.test(device.userAgent)) return 'android';
  const mac = /Macintosh/.test(device.userAgent) && device.touchPoints > 1;
  return mac || /iPhone|iPad|iPod/.test(device.userAgent) ? 'ios' : 'web';
}

/** Returns the platform of this device. */
export function currentPlatform(): Platform {
  const shell = (globalThis as NativeShell).Capacitor?.getPlatform();
  return platformOf({
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    ...(shell === undefined ? {} : { shell }),
  });
}

/** This is true for the Google Play build, where some sign-in methods are not allowed. */
export const isGooglePlayBuild: boolean = import.meta.env.VITE_STORE === 'google-play';
