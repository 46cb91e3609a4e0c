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
  keepChoices,
  readChoices,
  textLanguage,
} from './display.ts';
import { type Formatters, formatters } from './format.ts';

/** Everything that depends on who reads: look, words, numbers. Changes as a whole, so that no screen shows two languages. */
export interface Preferences {
  readonly choices: DisplayChoices;
  readonly display: DisplaySettings;
  /** Under which of its two languages a text of the engine or the contract is read. */
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

/** The texts that are wanted when they have arrived: more may be asked for on the way. */
async function textsOf(language: Language): Promise<Partial<Texts>> {
  const extent = wanted;
  const texts = await loadTexts(language, extent);
  return extent === wanted ? texts : textsOf(language);
}

function preferences(): StoreApi<Preferences> {
  if (!store) throw new Error('startPreferences() comes first');
  return store;
}

/** Loads the texts of the first load and begins to follow the device's theme. Call once, before anything renders. */
export async function startPreferences(): Promise<void> {
  const choices = readChoices();
  const display = currentDisplay(choices);
  const first = preferencesOf(choices, display, await textsOf(display.language));
  store = createStore<Preferences>(() => first);
  darkQuery().addEventListener('change', () => void choose({}));
}

/**
 * Changes what a person chose; `undefined` returns a question to the device. Locale change when they have arrived.
 *
 * @throws when the texts of a new language cannot be loaded; everything stays as it was
 */
export async function choose(change: { [K in keyof DisplayChoices]?: DisplayChoices[K] | undefined }): Promise<void> {
  const changed = (): DisplayChoices => {
    const merged = Object.entries({ ...preferences().getState().choices, ...change });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  };
  const { language } = currentDisplay(changed());
  // What needs no other texts is seen at once.
  const texts = language === preferences().getState().display.language ? null : await textsOf(language);
  // Something else may have been chosen meanwhile.
  const choices = changed();
  const display = currentDisplay(choices);
  keepChoices(choices);
  applyTheme(display);
  preferences().setState(
    texts === null ? { ...preferences().getState(), choices, display } : preferencesOf(choices, display, texts),
    true,
  );
}

/**
 * Brings the texts that the first load left out, in whatever language is read when they are here. Screens of a chunk of
 * their own wait for it.
 *
 * @throws when they cannot be loaded
 */
export function loadAllTexts(): Promise<void> {
  all ??= bringAll().catch((error: unknown) => {
    all = undefined;
    wanted = 'first';
    throw error;
  });
  return all;
}

async function bringAll(): Promise<void> {
  wanted = 'all';
  const { language } = preferences().getState().display;
  const texts = await textsOf(language);
  const { choices, display } = preferences().getState();
  if (display.language !== language) return bringAll();
  preferences().setState(preferencesOf(choices, display, texts), true);
}

/** Locale, formats and look of the reader, in a component. */
export function usePreferences(): Preferences {
  return useStore(preferences());
}

/** The same outside of components, at this moment. */
export function currentPreferences(): Preferences {
  return preferences().getState();
}
