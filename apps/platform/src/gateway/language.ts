import type { Language } from '@heron/contract/http/errors.ts';

/** Chinese when the name of the language contains "zh", English otherwise. @see accounts.md 1 */
export function languageOf(name: string): Language {
  return name.toLowerCase().includes('zh') ? 'zh' : 'en';
}

/**
 * Language of whoever sent an `Accept-Language` header: the one with the greatest weight, the first of equals.
 *
 * @param header such as `zh-CN,zh;q=0.9,en;q=0.8`; absent or unreadable means English
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
