import { options as en } from './en/options.ts';
import { bilingual, type Text } from './text.ts';
import { options as zh } from './zh/options.ts';

/** Texts of an option as a form needs them. */
export interface OptionTexts {
  readonly title: Text;
  readonly help: Text;
  /** The unit that is counted, or the amount that a percent is a share of. */
  readonly basis?: Text;
  /** Of an exit table. */
  readonly columns?: Readonly<Record<'profit' | 'stop', { readonly title: Text; readonly basis: Text }>>;
}

/** Texts of the options by name. */
export const OPTION_TEXTS = bilingual(zh, en);

/** Returns the texts of an option; an unknown one, as of a newer bot host, has its name for a title. */
export function optionTexts(name: string): OptionTexts {
  const texts: Readonly<Record<string, OptionTexts>> = OPTION_TEXTS;
  return texts[name] ?? { title: { zh: name, en: name }, help: { zh: '', en: '' } };
}
