/** What a person chose for this device. Absent values follow the device. */
export interface Choices {
  readonly language?: Language;
  readonly theme?: Theme;
  readonly up?: UpColour;
}

export type Language = 'zh-CN' | 'en';
export type Theme = 'light' | 'dark';
/** Colour of rising prices and of gains. */
export type UpColour = 'red' | 'green';

/** What is in force, every question answered. */
export interface Look {
  readonly language: Language;
  readonly theme: Theme;
  readonly up: UpColour;
}

const KEY = 'heron.look';

/** Chinese when the device speaks any Chinese, else English. @see accounts.md 1 */
export function deviceLanguage(tag: string): Language {
  return tag.toLowerCase().includes('zh') ? 'zh-CN' : 'en';
}

/** Answers what the choices leave open. Rising is red where Chinese is read, green elsewhere. */
export function resolveLook(choices: Choices, device: { language: string; dark: boolean }): Look {
  const language = choices.language ?? deviceLanguage(device.language);
  return {
    language,
    theme: choices.theme ?? (device.dark ? 'dark' : 'light'),
    up: choices.up ?? (language === 'zh-CN' ? 'red' : 'green'),
  };
}

/** The choices kept on this device; anything unreadable counts as no choice. */
export function readChoices(): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Choices, unknown>>;
    return {
      ...(kept.language === 'zh-CN' || kept.language === 'en' ? { language: kept.language } : {}),
      ...(kept.theme === 'light' || kept.theme === 'dark' ? { theme: kept.theme } : {}),
      ...(kept.up === 'red' || kept.up === 'green' ? { up: kept.up } : {}),
    };
  } catch {
    return {};
  }
}

/** Keeps the choices; where storage is refused they last until the page closes. */
export function keepChoices(choices: Choices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {}
}

export const darkQuery = () => matchMedia('(prefers-color-scheme: dark)');

export function currentLook(choices: Choices): Look {
  return resolveLook(choices, { language: navigator.language, dark: darkQuery().matches });
}

/** Puts a look on the document: all colours follow from attributes of `<html>`. */
export function wear(look: Look): void {
  const root = document.documentElement;
  root.lang = look.language;
  root.dataset.theme = look.theme;
  root.dataset.up = look.up;
  root.classList.toggle('dark', look.theme === 'dark');
  const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (bar) bar.content = look.theme === 'dark' ? '#0d1317' : '#f4f6f8';
}

/** Texts of a language, each its own chunk. */
export async function loadTexts(language: Language): Promise<import('../locales/texts.ts').Texts> {
  return language === 'zh-CN' ? (await import('../locales/zh-CN.ts')).zhCN : (await import('../locales/en.ts')).en;
}
