import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Extent, loadTexts } from '../locales/loadTexts.ts';
import { type Language, type Texts, type Translate, translator } from '../locales/texts.ts';
import {
  applyTheme,
  currentDisplay,
  type DisplayChoices,
  type DisplaySettings,
  darkQuery,
  readChoices,
  storeChoices,
  textLanguage,
} from './display.ts';
import { type Formatters, formatters } from './format.ts';

/** Display settings, texts and formats. They change together, so that no screen mixes two languages. */
export interface Preferences {
  readonly choices: DisplayChoices;
  readonly display: DisplaySettings;
  /** Key of the language in texts that hold both languages. */
  readonly language: 'zh' | 'en';
  readonly t: Translate;
  readonly format: Formatters;
}

/** Preferences that a label or a sentence depends on. */
export type Locale = Pick<Preferences, 't' | 'format' | 'language'>;

function preferencesOf(choices: DisplayChoices, display: DisplaySettings, texts: Partial<Texts>): Preferences {
  return {
    choices,
    display,
    language: textLanguage(display.language),
    t: translator(texts, display.language),
    format: formatters(display.language),
  };
}

let store: StoreApi<Preferences> | undefined;
let wanted: Extent = 'first';
let all: Promise<void> | undefined;

/** Loads the wanted texts, and loads again when more texts became wanted in the meantime. */
async function textsOf(language: Language): Promise<Partial<Texts>> {
  const extent = wanted;
  const texts = await loadTexts(language, extent);
  return extent === wanted ? texts : textsOf(language);
}

function preferences(): StoreApi<Preferences> {
  if (!store) throw new Error('startPreferences() comes first');
  return store;
}

/** Loads the texts of the first load and follows the device's theme from then on. Call it once, before the first render. */
export async function startPreferences(): Promise<void> {
  const choices = readChoices();
  const display = currentDisplay(choices);
  const first = preferencesOf(choices, display, await textsOf(display.language));
  store = createStore<Preferences>(() => first);
  darkQuery().addEventListener('change', () => void choose({}));
}

/**
 * Changes display choices; `undefined` makes one follow the device again. The language changes once its texts are loaded.
 *
 * @throws when the texts of a new language cannot be loaded; everything stays as it was
 */
export async function choose(change: { [K in keyof DisplayChoices]?: DisplayChoices[K] | undefined }): Promise<void> {
  const changed = (): DisplayChoices => {
    const merged = Object.entries({ ...preferences().getState().choices, ...change });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  };
  const { language } = currentDisplay(changed());
  // A change that needs no other texts is applied at once.
  const texts = language === preferences().getState().display.language ? null : await textsOf(language);
  // The choices may have changed while the texts were loading.
  const choices = changed();
  const display = currentDisplay(choices);
  storeChoices(choices);
  applyTheme(display);
  preferences().setState(
    texts === null ? { ...preferences().getState(), choices, display } : preferencesOf(choices, display, texts),
    true,
  );
}

/**
 * Loads the texts that the first load left out. Lazily loaded screens wait for it.
 *
 * @throws when they cannot be loaded
 */
export function loadAllTexts(): Promise<void> {
  all ??= loadAll().catch((error: unknown) => {
    all = undefined;
    wanted = 'first';
    throw error;
  });
  return all;
}

async function loadAll(): Promise<void> {
  wanted = 'all';
  const { language } = preferences().getState().display;
  const texts = await textsOf(language);
  const { choices, display } = preferences().getState();
  if (display.language !== language) return loadAll();
  preferences().setState(preferencesOf(choices, display, texts), true);
}

/** Returns the preferences, in a component. */
export function usePreferences(): Preferences {
  return useStore(preferences());
}

/** Returns the present preferences, outside of components. */
export function currentPreferences(): Preferences {
  return preferences().getState();
}
