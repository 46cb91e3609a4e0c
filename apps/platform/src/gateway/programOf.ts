/** Browser and system, in as much detail as a user needs to recognise their own. */
export type Program = {
  /** Such as "Firefox"; empty when unknown. */
  readonly browser: string;
  /** Such as "Windows"; empty when unknown. */
  readonly system: string;
};

/**
 * The first match counts, because browsers also contain the names below them: Edge contains Chrome, Chrome contains
 * Safari.
 */
const BROWSERS = [
  ['MicroMessenger/', '微信 WeChat'],
  ['Electron/', 'Electron'],
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Parses browser and system of a `User-Agent` header, which any client can forge. */
export function programOf(userAgent: string): Program {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent.includes(sign))?.[1] ?? '';
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
