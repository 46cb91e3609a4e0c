import { parseSync, Visitor } from 'oxc-parser';

/** One mention of another module in a source file. */
export type Import = {
  /** As written: `./x.ts`, `@heron/engine/x.ts`, `node:fs`. */
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  /** Erased before the program runs. */
  readonly typeOnly: boolean;
};

/** Functions that take the name of a module. */
const RESOLVERS = new Set(['require', 'require.resolve', 'import.meta.resolve']);

type Literal = { readonly type: string; readonly value?: unknown };

/**
 * Every import of a source file: declarations, re-exports, types, `import()`, `require()` and `import.meta.resolve()`.
 * Computed names cannot be seen.
 *
 * @throws SyntaxError
 */
export function importsOf(file: string, source: string): Import[] {
  const parsed = parseSync(file, source);
  const error = parsed.errors[0];
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`);
  const found: { specifier: string; start: number; typeOnly: boolean }[] = [];
  const add = (literal: Literal | null | undefined, start: number, typeOnly: boolean) => {
    if (typeof literal?.value === 'string') found.push({ specifier: literal.value, start, typeOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.start, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source, node.start, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.start, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, node.start, false),
    TSImportType: (node) => add(node.source, node.start, true),
    TSExternalModuleReference: (node) => add(node.expression, node.start, false),
    CallExpression: (node) => {
      const called = source.slice(node.callee.start, node.callee.end);
      if (RESOLVERS.has(called)) add(node.arguments[0], node.start, false);
    },
  }).visit(parsed.program);
  const lineAt = lineCounter(source);
  return found.map(({ start, ...rest }) => ({ ...rest, line: lineAt(start) }));
}

function lineCounter(source: string): (offset: number) => number {
  return (offset) => source.slice(0, offset).split('\n').length;
}
