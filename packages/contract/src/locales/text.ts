/** A text in both languages of the app. */
export interface Text {
  readonly zh: string;
  readonly en: string;
}

/** A table of texts in one language. */
export type TextTree = { readonly [key: string]: string | TextTree };

/** The same table with each text in both languages. */
export type Bilingual<T> = T extends string ? Text : { readonly [Key in keyof T]: Bilingual<T[Key]> };

/** Joins the tables of both languages. */
export function bilingual<T extends object>(zh: T, en: T): Bilingual<T> {
  const entries = Object.entries(en).map(([key, text]) => {
    const other: unknown = zh[key as keyof T];
    return [key, typeof text === 'string' ? { zh: other, en: text } : bilingual(other as object, text)];
  });
  // Both tables have the same keys by their type.
  return Object.fromEntries(entries) as Bilingual<T>;
}
