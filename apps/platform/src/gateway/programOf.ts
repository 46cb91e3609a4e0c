/** What a browser says it is, for people: no more than they need to recognise their own. */
export type Program = {
  /** Such as "Firefox"; empty when unknown. */
  readonly browser: string;
  /** Such as "Windows"; empty when unknown. */
  readonly system: string;
};

/** The first that matches: others claim to be those below them, as Edge says Chrome and Chrome says Safari. */
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

/** Reads browser and system from a `User-Agent` header, which anybody can fill as they like. */
export function programOf(userAgent: string): Program {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent.includes(sign))?.[1] ?? '';
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
