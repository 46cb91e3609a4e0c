import type { en } from './en.ts';

/** A text that depends on a number: `other` always, the rest where the language has them. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
export type Text = string | Plural;

export type Key = keyof typeof en;
/** A whole language: the same keys as English. */
export type Texts = { readonly [K in Key]: Text };

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type English<K extends Key> = (typeof en)[K] extends { readonly other: infer Other } ? Other : (typeof en)[K];

/** What a text wants filled in; nothing when it has no placeholder. */
export type Values<K extends Key> = [Names<English<K>>] extends [never]
  ? []
  : [values: { readonly [N in Names<English<K>>]: string | number }];

/** Text of a key with its placeholders filled. A plural is chosen by `count`. */
export type Translate = <K extends Key>(key: K, ...values: Values<K>) => string;

/**
 * The reader of one language's texts. Numbers among the values are written in that language.
 *
 * @param language BCP 47 tag, for plural rules and digits
 */
export function translator(texts: Texts, language: string): Translate {
  const rules = new Intl.PluralRules(language);
  const digits = new Intl.NumberFormat(language);
  return (key, ...given) => {
    const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>;
    const text = texts[key];
    const form = typeof text === 'string' ? text : (text[rules.select(Number(values.count))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? digits.format(value) : (value ?? '');
    });
  };
}
