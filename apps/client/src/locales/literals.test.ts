import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
/** Attributes that are displayed or read aloud. */
const READ = new Set([
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'title',
]);
/** Matches names that are the same in every language. */
const NAMES = /TradingView Lightweight Charts/g;

/** Returns literal texts that a source shows instead of a text of the locale tables. */
function literals(file: string, code: string): string[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
  const found: string[] = [];

  function take(text: string, at: number): void {
    if (/\p{L}{2,}/u.test(text.replace(NAMES, '')))
      found.push(`${file}:${code.slice(0, at).split('\n').length} ${text.trim()}`);
  }

  function takeShown(shown: Expression): void {
    if (shown.type === 'Literal' && typeof shown.value === 'string') take(shown.value, shown.start);
    if (shown.type === 'TemplateLiteral') for (const { value, start } of shown.quasis) take(value.raw, start);
    if (shown.type === 'LogicalExpression') takeShown(shown.right);
    if (shown.type === 'ConditionalExpression') for (const way of [shown.consequent, shown.alternate]) takeShown(way);
  }

  new Visitor({
    JSXText: ({ value, start }) => take(value, start),
    JSXElement({ children }) {
      for (const child of children)
        if (child.type === 'JSXExpressionContainer' && child.expression.type !== 'JSXEmptyExpression')
          takeShown(child.expression);
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier' || !READ.has(name.name)) return;
      if (value?.type === 'Literal') take(value.value, value.start);
      if (value?.type === 'JSXExpressionContainer' && value.expression.type !== 'JSXEmptyExpression')
        takeShown(value.expression);
    },
  }).visit(program);
  return found;
}

test('all words on screen come from the texts in both languages', () => {
  const screens = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  expect(screens.length).toBeGreaterThan(50);
  expect(screens.flatMap((file) => literals(file, readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
});

test.each([
  ['between tags', '<p>Hello</p>'],
  ['in an attribute', '<a title="你好" />'],
  ['in either way of a choice', '<p>{ok ? t("a.b") : `Not yet`}</p>'],
])('the check finds the words %s', (_where, code) => {
  expect(literals('found.tsx', code)).toHaveLength(1);
});
