import path from 'node:path';
import bannedWords from './bannedWords.json' with { type: 'json' };
import fixedNames from './fixedNames.json' with { type: 'json' };

/**
 * Returns the words of a text that the glossary replaces, in lower case, also as parts of names such as `startAnew`. Names that
 * cannot change in this file do not count.
 *
 * @param file path in the repository
 */
export function bannedWordsIn(file: string, text: string): string[] {
  const free = Object.entries(fixedNames)
    .filter(([, { files }]) => path.matchesGlob(file, files))
    .reduce((rest, [name]) => rest.replaceAll(name, ''), text);
  return (free.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => Object.hasOwn(bannedWords, word));
}
