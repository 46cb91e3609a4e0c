import type { Plugin } from 'vite';

/**
 * Puts Framework7's styles into a cascade layer, so that ours outrank them wherever they are loaded, and leaves its icon
 * font out: our icons are our own, and a strict policy refuses fonts from `data:`.
 */
export function framework7Css(): Plugin {
  return {
    name: 'heron:framework7-css',
    enforce: 'pre',
    transform(code, id) {
      if (!/framework7[^?]*\.css/.test(id)) return null;
      return { code: `@layer framework7 {${code.replace(/@font-face\s*\{[^}]*\}/g, '')}}`, map: null };
    },
  };
}
