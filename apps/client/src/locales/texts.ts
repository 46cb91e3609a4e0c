import type { first } from './en/first.ts';
import type { rest } from './en/rest.ts';

export type Language = 'zh-CN' | 'en';

/** Holds a text that depends on a number: `other` always, other forms where the language has them. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
export type Text = string | Plural;

type English = typeof first & typeof rest;
export type Key = keyof English;
/** Is the part after `prefix.` in keys. */
export type KeyUnder<Prefix extends string, K = Key> = K extends `${Prefix}.${infer Rest}` ? Rest : never;
/** Holds an area of texts in another language, with the same keys as English. */
export type Translated<Area> = { readonly [K in keyof Area]: Text };
/** Holds all texts of a language. */
export type Texts = Translated<English>;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type EnglishText<K extends Key> = English[K] extends { readonly other: infer Other } ? Other : English[K];

/** Lists the values that a text needs; none when it has no placeholder. */
export type Values<K extends Key> = [Names<EnglishText<K>>] extends [never]
  ? []
  : [values: { readonly [N in Names<EnglishText<K>>]: string | number }];

/** Returns the text of a key with its placeholders filled. `count` chooses the plural. */
export type Translate = <K extends Key>(key: K, ...values: Values<K>) => string;

/**
 * Creates the translator of one language. Numbers among the values are formatted in that language.
 *
 * @param texts all texts, or those of the first load; a text that is not loaded yet shows as its key
 * @param language BCP 47 tag, for plural rules and digits
 */
export function translator(texts: Partial<Texts>, language: string): Translate {
  const rules = new Intl.PluralRules(language);
  const digits = new Intl.NumberFormat(language);
  return (key, ...given) => {
    const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>;
    const text: Text = texts[key] ?? key;
    const form = typeof text === 'string' ? text : (text[rules.select(Number(values.count))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? digits.format(value) : (value ?? '');
    });
  };
}
