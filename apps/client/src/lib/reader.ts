import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Extent, loadTexts } from '../locales/loadTexts.ts';
import { type Language, type Texts, type Translate, translator } from '../locales/texts.ts';
import { type Formatters, formatters } from './format.ts';
import {
  type Choices,
  currentLook,
  darkQuery,
  keepChoices,
  type Look,
  readChoices,
  textLanguage,
  wear,
} from './look.ts';

/** Everything that depends on who reads: look, words, numbers. Changes as a whole, so that no screen shows two languages. */
export interface Reader {
  readonly choices: Choices;
  readonly look: Look;
  /** Under which of its two languages a text of the engine or the contract is read. */
  readonly language: 'zh' | 'en';
  readonly t: Translate;
  readonly format: Formatters;
}

function readerOf(choices: Choices, look: Look, texts: Partial<Texts>): Reader {
  return {
    choices,
    look,
    language: textLanguage(look.language),
    t: translator(texts, look.language),
    format: formatters(look.language),
  };
}

let store: StoreApi<Reader> | undefined;
let wanted: Extent = 'first';
let all: Promise<void> | undefined;

/** The texts that are wanted when they have arrived: more may be asked for on the way. */
async function textsOf(language: Language): Promise<Partial<Texts>> {
  const extent = wanted;
  const texts = await loadTexts(language, extent);
  return extent === wanted ? texts : textsOf(language);
}

function reader(): StoreApi<Reader> {
  if (!store) throw new Error('startReader() comes first');
  return store;
}

/** Loads the texts of the first load and begins to follow the device's theme. Call once, before anything renders. */
export async function startReader(): Promise<void> {
  const choices = readChoices();
  const look = currentLook(choices);
  const first = readerOf(choices, look, await textsOf(look.language));
  store = createStore<Reader>(() => first);
  darkQuery().addEventListener('change', () => void choose({}));
}

/**
 * Changes what a person chose; `undefined` returns a question to the device. Words change when they have arrived.
 *
 * @throws when the texts of a new language cannot be loaded; everything stays as it was
 */
export async function choose(change: { [K in keyof Choices]?: Choices[K] | undefined }): Promise<void> {
  const changed = (): Choices => {
    const merged = Object.entries({ ...reader().getState().choices, ...change });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  };
  const { language } = currentLook(changed());
  // What needs no other texts is seen at once.
  const texts = language === reader().getState().look.language ? null : await textsOf(language);
  // Something else may have been chosen meanwhile.
  const choices = changed();
  const look = currentLook(choices);
  keepChoices(choices);
  wear(look);
  reader().setState(texts === null ? { ...reader().getState(), choices, look } : readerOf(choices, look, texts), true);
}

/**
 * Brings the texts that the first load left out, in whatever language is read when they are here. Screens of a chunk of
 * their own wait for it.
 *
 * @throws when they cannot be loaded
 */
export function wantAllTexts(): Promise<void> {
  all ??= bringAll().catch((error: unknown) => {
    all = undefined;
    wanted = 'first';
    throw error;
  });
  return all;
}

async function bringAll(): Promise<void> {
  wanted = 'all';
  const { language } = reader().getState().look;
  const texts = await textsOf(language);
  const { choices, look } = reader().getState();
  if (look.language !== language) return bringAll();
  reader().setState(readerOf(choices, look, texts), true);
}

/** Words, formats and look of the reader, in a component. */
export function useReader(): Reader {
  return useStore(reader());
}

/** The same outside of components, at this moment. */
export function currentReader(): Reader {
  return reader().getState();
}
