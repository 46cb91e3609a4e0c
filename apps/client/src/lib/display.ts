import type { Language } from '../locales/texts.ts';
import { readLocal, storeLocal } from './local.ts';

/** These are the display choices of the user for this device. A missing value follows the device. */
export interface DisplayChoices {
  readonly language?: Language;
  readonly theme?: Theme;
  readonly up?: UpColour;
  readonly accent?: Accent;
  readonly bar?: BarStyle;
}

export type Theme = 'light' | 'dark';
/** This is the colour of rising prices and of gains. */
export type UpColour = 'red' | 'green';

/**
 * These are the colour themes; the first is the default. Red and green are not among them, since they mark price
 * changes.
 */
export const ACCENTS = ['blue', 'teal', 'indigo', 'violet', 'orange', 'grey'] as const;
export type Accent = (typeof ACCENTS)[number];

/** This sets whether bars have the colour of the theme. */
export const BAR_STYLES = ['empty', 'fill'] as const;
export type BarStyle = (typeof BAR_STYLES)[number];

/** These are the display settings in force, with all defaults filled in. */
export interface DisplaySettings {
  readonly language: Language;
  readonly theme: Theme;
  readonly up: UpColour;
  readonly accent: Accent;
  readonly bar: BarStyle;
}

const KEY = 'heron.look';

/** Returns Chinese for any Chinese language tag, otherwise English. */
export function deviceLanguage(tag: string): Language {
  return tag.toLowerCase().includes('zh') ? 'zh-CN' : 'en';
}

/** Returns the language key of texts that hold both languages. */
export function textLanguage(language: Language): 'zh' | 'en' {
  return language === 'zh-CN' ? 'zh' : 'en';
}

/** Fills in the choices that are missing. Rising prices are red in Chinese and green in English. */
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

/** Returns the choices stored on this device. An unreadable value counts as no choice. */
export function readChoices(): DisplayChoices {
  const stored = (readLocal(KEY) ?? {}) as Partial<Record<keyof DisplayChoices, unknown>>;
  return {
    ...(stored.language === 'zh-CN' || stored.language === 'en' ? { language: stored.language } : {}),
    ...(stored.theme === 'light' || stored.theme === 'dark' ? { theme: stored.theme } : {}),
    ...(stored.up === 'red' || stored.up === 'green' ? { up: stored.up } : {}),
    ...(isOneOf(ACCENTS, stored.accent) ? { accent: stored.accent } : {}),
    ...(isOneOf(BAR_STYLES, stored.bar) ? { bar: stored.bar } : {}),
  };
}

const isOneOf = <Value extends string>(values: readonly Value[], value: unknown): value is Value =>
  values.includes(value as Value);

export const storeChoices = (choices: DisplayChoices): void => storeLocal(KEY, choices);

export const darkQuery = () => matchMedia('(prefers-color-scheme: dark)');

export function currentDisplay(choices: DisplayChoices): DisplaySettings {
  return resolveDisplay(choices, { language: navigator.language, dark: darkQuery().matches });
}

/** Applies display settings to the document: all colours derive from attributes of `<html>`. */
export function applyTheme(display: DisplaySettings): void {
  const root = document.documentElement;
  root.lang = display.language;
  root.dataset.theme = display.theme;
  root.dataset.up = display.up;
  root.dataset.accent = display.accent;
  root.dataset.bar = display.bar;
  root.classList.toggle('dark', display.theme === 'dark');
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  // `theme-color` is the colour of the topmost bar. The styles load with the page, before any script.
  const top = getComputedStyle(root).getPropertyValue(display.bar === 'fill' ? '--bar' : '--surface');
  if (bar && top !== '') bar.content = top;
  const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  if (manifest) manifest.href = `/heron.${display.language}.webmanifest`;
}
