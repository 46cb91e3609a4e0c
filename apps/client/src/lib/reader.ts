import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Texts, type Translate, translator } from '../locales/texts.ts';
import { type Formatters, formatters } from './format.ts';
import { type Choices, currentLook, darkQuery, keepChoices, type Look, loadTexts, readChoices, wear } from './look.ts';

/** Everything that depends on who reads: look, words, numbers. Changes as a whole, so that no screen shows two languages. */
export interface Reader {
  readonly choices: Choices;
  readonly look: Look;
  readonly t: Translate;
  readonly format: Formatters;
}

function readerOf(choices: Choices, look: Look, texts: Texts): Reader {
  return { choices, look, t: translator(texts, look.language), format: formatters(look.language) };
}

let store: StoreApi<Reader> | undefined;

function reader(): StoreApi<Reader> {
  if (!store) throw new Error('startReader() comes first');
  return store;
}

/** Loads the texts and begins to follow the device's theme. Call once, before anything renders. */
export async function startReader(): Promise<void> {
  const choices = readChoices();
  const look = currentLook(choices);
  const first = readerOf(choices, look, await loadTexts(look.language));
  store = createStore<Reader>(() => first);
  darkQuery().addEventListener('change', () => void choose({}));
}

/**
 * Changes what a person chose; `undefined` returns a question to the device. Words change when they have arrived.
 *
 * @throws when the texts of a new language cannot be loaded; everything stays as it was
 */
export async function choose(change: { [K in keyof Choices]?: Choices[K] | undefined }): Promise<void> {
  const merged = Object.entries({ ...reader().getState().choices, ...change }).filter(
    ([, value]) => value !== undefined,
  );
  const choices: Choices = Object.fromEntries(merged);
  const look = currentLook(choices);
  const next = readerOf(choices, look, await loadTexts(look.language));
  keepChoices(choices);
  wear(look);
  reader().setState(next, true);
}

/** Words, formats and look of the reader, in a component. */
export function useReader(): Reader {
  return useStore(reader());
}

/** The same outside of components, at this moment. */
export function currentReader(): Reader {
  return reader().getState();
}
