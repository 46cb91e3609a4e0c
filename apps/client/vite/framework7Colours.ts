import type { Plugin } from 'vite';

const COLOURS = 'virtual:framework7-colours';

/**
 * Leaves out the palettes that Framework7 makes of fifteen colours when it starts, by the colour science of Material: a third
 * of the time until the first row, and a tenth of its code. Our colours are our own (`tokens.css`).
 */
export function framework7Colours(): Plugin {
  return {
    name: 'heron:framework7-colours',
    apply: 'build',
    enforce: 'pre',
    resolveId(source) {
      return source.endsWith('/material-colors.js') ? COLOURS : null;
    },
    load(id) {
      if (id !== COLOURS) return null;
      return "export const materialColors = (hex) => ({ light: { '--f7-md-primary': hex }, dark: { '--f7-md-primary': hex } });";
    },
  };
}
