import { options as en } from './en/options.ts';
import { bilingual, type Text } from './text.ts';
import { options as zh } from './zh/options.ts';

/** Texts of an option for forms. */
export interface OptionTexts {
  readonly title: Text;
  readonly help: Text;
  /** Unit of the value, or the amount to which a percent refers. */
  readonly basis?: Text;
  /** Texts of the columns of an exit table. */
  readonly columns?: Readonly<Record<'profit' | 'stop', { readonly title: Text; readonly basis: Text }>>;
}

/** Texts of the options by name. */
export const OPTION_TEXTS = bilingual(zh, en);

/** Returns the texts of an option. An unknown option, for example of a newer bot host, has its name as title. */
export function optionTexts(name: string): OptionTexts {
  const texts: Readonly<Record<string, OptionTexts>> = OPTION_TEXTS;
  return texts[name] ?? { title: { zh: name, en: name }, help: { zh: '', en: '' } };
}
