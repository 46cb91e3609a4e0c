import type { Plugin } from 'vite';

/** Only servers and documents use these properties of a declaration in the contract. */
const ERASED = new Set(['summary', 'params', 'query', 'body', 'response', 'payload', 'data']);

/**
 * Removes schemas and summaries from the calls and methods of the contract. The client sends them by name and path, and
 * `erasedZod.ts` could not validate them anyway. Code that only they use, such as the option table, then leaves the
 * first load.
 */
export function erasedSchemas(): Plugin {
  return {
    name: 'heron:erased-schemas',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/packages/contract/src/') || !/define(Call|Method)\(\{/.test(code)) return null;
      let remaining = '';
      let from = 0;
      for (const { start, end } of erasedProperties(this.parse(code))) {
        remaining += code.slice(from, start);
        from = code[end] === ',' ? end + 1 : end;
      }
      return { code: remaining + code.slice(from), map: null };
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Lists the properties to remove, in the order of the source. */
function erasedProperties(tree: unknown): Span[] {
  const found: Span[] = [];
  visit(tree, (node) => {
    const {
      type,
      callee,
      arguments: given,
    } = node as {
      type?: string;
      callee?: { name?: string };
      arguments?: { type: string; properties?: (Span & { key?: { name?: string } })[] }[];
    };
    if (type !== 'CallExpression' || !/^define(Call|Method)$/.test(callee?.name ?? '')) return;
    for (const property of given?.[0]?.properties ?? []) {
      if (ERASED.has(property.key?.name ?? '')) found.push({ start: property.start, end: property.end });
    }
  });
  return found;
}

function visit(node: unknown, see: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) see(node);
  for (const child of Object.values(node)) visit(child, see);
}
