import type { Language, Texts } from './texts.ts';

/** Names the texts to load: those of the first load, or all. */
export type Extent = 'first' | 'all';

const PARTS = {
  en: {
    first: async () => (await import('./en/first.ts')).first,
    rest: async () => (await import('./en/rest.ts')).rest,
  },
  'zh-CN': {
    first: async () => (await import('./zh-CN/first.ts')).first,
    rest: async () => (await import('./zh-CN/rest.ts')).rest,
  },
} as const;

/** Loads the texts of a language. The texts of the first load and the rest are one chunk each. */
export async function loadTexts(language: Language, extent: Extent): Promise<Partial<Texts>> {
  const { first, rest } = PARTS[language];
  if (extent === 'first') return first();
  const [some, others] = await Promise.all([first(), rest()]);
  return { ...some, ...others };
}
