import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACCENTS } from '../../lib/display.ts';

const SHEETS = ['tokens.css', 'accents.css']
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');

/** Pairs each text colour with the backgrounds on which it appears. */
const READ: readonly (readonly [text: string, ...backgrounds: string[]])[] = [
  ['text', 'bg', 'surface', 'surface-2', 'accent-soft', 'amber-soft'],
  ['text-2', 'bg', 'surface', 'surface-2'],
  ['accent', 'bg', 'surface', 'surface-2', 'accent-soft'],
  ['on-accent', 'accent', 'accent-hover'],
  ['on-bar', 'bar', 'bar-current'],
  ['gain', 'bg', 'surface'],
  ['loss', 'bg', 'surface'],
  ['on-fill', 'red-fill', 'green-fill', 'danger'],
  ['danger', 'bg', 'surface', 'danger-soft'],
  ['amber', 'surface', 'amber-soft'],
  ['amber-soft', 'amber'],
  ['paper', 'paper-soft'],
  ['bg', 'text'],
];

/**
 * Returns the tokens of a document with these attributes after the cascade: rules of `:root` by order and specificity.
 */
function tokensOf(attributes: Readonly<Record<string, string>>): Map<string, string> {
  const tokens = new Map<string, string>();
  const rules = [...SHEETS.matchAll(/^(?::root)?((?:\[[^\]]+\])*)(?:,\n[^{]+)? \{([^}]*)\}/gm)]
    .map(([, selector = '', body = '']) => ({ wants: [...selector.matchAll(/\[data-(\w+)="(\w+)"\]/g)], body }))
    .filter(({ wants }) => wants.every(([, name, value]) => attributes[name as string] === value))
    .sort((one, other) => one.wants.length - other.wants.length);
  for (const { body } of rules)
    for (const [, name, value] of body.matchAll(/--([\w-]+):\s*([^;]+);/g)) tokens.set(name as string, value as string);
  return tokens;
}

function colourOf(tokens: Map<string, string>, name: string): string {
  const value = tokens.get(name) ?? '';
  const referred = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return referred === undefined ? value : colourOf(tokens, referred);
}

/** Returns the contrast of two colours `#rrggbb`, 1 to 21. @see WCAG 2.2, "contrast ratio" */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('contrast is measured as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
});

test.each(['light', 'dark'])('every text has a contrast of 4.5 on its background in all themes, %s', (theme) => {
  const faint: string[] = [];
  for (const accent of ACCENTS)
    for (const up of ['red', 'green']) {
      const tokens = tokensOf({ theme, accent, up });
      for (const [text, ...backgrounds] of READ)
        for (const background of backgrounds) {
          const pair = [text, background].map((name) => colourOf(tokens, name)) as [string, string];
          expect(pair).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), expect.stringMatching(/^#[0-9a-f]{6}$/)]);
          const found = contrast(...pair);
          if (found < 4.5) faint.push(`${accent}, ${up} up: ${text} on ${background} ${found.toFixed(2)}`);
        }
    }
  expect(faint).toEqual([]);
});

test.each(['light', 'dark'])('the focus ring is visible on every background, %s', (theme) => {
  for (const accent of ACCENTS) {
    const tokens = tokensOf({ theme, accent });
    for (const background of ['bg', 'surface', 'surface-2'])
      expect(
        contrast(colourOf(tokens, 'focus'), colourOf(tokens, background)),
        `${accent} on ${background}`,
      ).toBeGreaterThan(3);
  }
});

test('each colour theme has its own colour, in light and in dark', () => {
  for (const theme of ['light', 'dark'])
    expect(new Set(ACCENTS.map((accent) => colourOf(tokensOf({ theme, accent }), 'accent'))).size).toBe(ACCENTS.length);
});
