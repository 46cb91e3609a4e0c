import type { Language } from '@heron/contract/http/errors.ts';

/** Returns Chinese when the name of a language contains "zh", otherwise English. */
export function languageOf(name: string): Language {
  return name.toLowerCase().includes('zh') ? 'zh' : 'en';
}

/**
 * Returns the language of an `Accept-Language` header with the highest weight, the first one of equals.
 *
 * @param header such as `zh-CN,zh;q=0.9,en;q=0.8`; English when absent or invalid
 */
export function acceptedLanguage(header: string | undefined): Language {
  if (header === undefined) return 'en';
  let best = { name: 'en', weight: 0 };
  for (const part of header.slice(0, 500).split(',')) {
    const [name = '', ...parameters] = part.trim().split(';');
    const q = parameters.find((parameter) => parameter.trim().startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.trim().slice(2));
    if (name !== '' && weight > best.weight) best = { name, weight };
  }
  return languageOf(best.name);
}
