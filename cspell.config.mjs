// Spelling of sources and documents, and the words that docs/glossary.md replaces. Part of `npm run check`.
import bannedWords from './scripts/bannedWords.json' with { type: 'json' };
import fixedNames from './scripts/fixedNames.json' with { type: 'json' };
import toleratedWords from './scripts/toleratedWords.json' with { type: 'json' };

/** @type {import('cspell').CSpellSettings} */
export default {
  version: '0.2',
  language: 'en-GB,en',
  files: ['**/*.{ts,tsx,mjs,md}'],
  useGitignore: true,
  ignorePaths: ['**/locales/zh-CN/**', '**/*.zh-CN.md', '**/recordings/**', 'docs/glossary.md'],
  dictionaries: ['typescript', 'node', 'npm', 'softwareTerms', 'html', 'css', 'fullstack', 'en-gb', 'project'],
  dictionaryDefinitions: [{ name: 'project', path: './scripts/dictionary.txt' }],
  ignoreRegExpList: [
    // Parts of encoded addresses, and strings that are keys, hashes or samples rather than words.
    ...['%[0-9A-F]{2}', '/[A-Za-z0-9+/=_-]{40,}/g', '/\\b(?=\\w*\\d)\\w{12,}\\b/g'],
  ],
  flagWords: Object.entries(bannedWords).map(([word, replacement]) => `${word}->${replacement}`),
  overrides: [
    ...Object.entries(toleratedWords).map(([filename, ignoreWords]) => ({ filename, ignoreWords })),
    // Names on the wire and in the database stay as they are.
    ...Object.entries(fixedNames).map(([name, { files }]) => ({
      filename: files,
      ignoreRegExpList: [`/${RegExp.escape(name)}/g`],
    })),
  ],
};
