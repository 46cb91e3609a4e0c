import type { Language } from '../locales/texts.ts';
import { keepLocal, readLocal } from './local.ts';

/** The choices of a person for this device. Missing values follow the device. */
export interface DisplayChoices {
  readonly language?: Language;
  readonly theme?: Theme;
  readonly up?: UpColour;
  readonly accent?: Accent;
  readonly bar?: BarStyle;
}

export type Theme = 'light' | 'dark';
/** Colour of rising prices and of gains. */
export type UpColour = 'red' | 'green';

/** Colour themes; the first is in force until a person chooses. Red and green are not among them: they say how prices move. */
export const ACCENTS = ['blue', 'teal', 'indigo', 'violet', 'orange', 'grey'] as const;
export type Accent = (typeof ACCENTS)[number];

/** Whether bars are painted in the colour of the theme. @see accounts.md 2, "Theme" */
export const BAR_STYLES = ['empty', 'fill'] as const;
export type BarStyle = (typeof BAR_STYLES)[number];

/** The settings in force, with all defaults filled in. */
export interface DisplaySettings {
  readonly language: Language;
  readonly theme: Theme;
  readonly up: UpColour;
  readonly accent: Accent;
  readonly bar: BarStyle;
}

const KEY = 'heron.look';

/** Chinese when the device speaks any Chinese, else English. @see accounts.md 1 */
export function deviceLanguage(tag: string): Language {
  return tag.toLowerCase().includes('zh') ? 'zh-CN' : 'en';
}

/** The name that texts with two languages in them have for it. */
export function textLanguage(language: Language): 'zh' | 'en' {
  return language === 'zh-CN' ? 'zh' : 'en';
}

/** Answers what the choices leave open. Rising is red where Chinese is read, green elsewhere. */
export function resolveDisplay(choices: DisplayChoices, device: { language: string; dark: boolean }): DisplaySettings {
  const language = choices.language ?? deviceLanguage(device.language);
  return {
    language,
    theme: choices.theme ?? (device.dark ? 'dark' : 'light'),
    up: choices.up ?? (language === 'zh-CN' ? 'red' : 'green'),
    accent: choices.accent ?? ACCENTS[0],
    bar: choices.bar ?? BAR_STYLES[0],
  };
}

/** The choices kept on this device; anything unreadable counts as no choice. */
export function readChoices(): DisplayChoices {
  const kept = (readLocal(KEY) ?? {}) as Partial<Record<keyof DisplayChoices, unknown>>;
  return {
    ...(kept.language === 'zh-CN' || kept.language === 'en' ? { language: kept.language } : {}),
    ...(kept.theme === 'light' || kept.theme === 'dark' ? { theme: kept.theme } : {}),
    ...(kept.up === 'red' || kept.up === 'green' ? { up: kept.up } : {}),
    ...(isOneOf(ACCENTS, kept.accent) ? { accent: kept.accent } : {}),
    ...(isOneOf(BAR_STYLES, kept.bar) ? { bar: kept.bar } : {}),
  };
}

const isOneOf = <Value extends string>(values: readonly Value[], value: unknown): value is Value =>
  values.includes(value as Value);

export const keepChoices = (choices: DisplayChoices): void => keepLocal(KEY, choices);

export const darkQuery = () => matchMedia('(prefers-color-scheme: dark)');

export function currentDisplay(choices: DisplayChoices): DisplaySettings {
  return resolveDisplay(choices, { language: navigator.language, dark: darkQuery().matches });
}

/** Puts a look on the document: all colours follow from attributes of `<html>`. */
export function applyTheme(display: DisplaySettings): void {
  const root = document.documentElement;
  root.lang = display.language;
  root.dataset.theme = display.theme;
  root.dataset.up = display.up;
  root.dataset.accent = display.accent;
  root.dataset.bar = display.bar;
  root.classList.toggle('dark', display.theme === 'dark');
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  // The colour of the topmost bar. The styles are loaded with the page, before any script.
  const top = getComputedStyle(root).getPropertyValue(display.bar === 'fill' ? '--bar' : '--surface');
  if (bar && top !== '') bar.content = top;
  const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  if (manifest) manifest.href = `/heron.${display.language}.webmanifest`;
}
