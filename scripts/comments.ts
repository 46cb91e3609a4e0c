import { parseSync } from 'oxc-parser';

/** A block comment, or line comments on lines that follow each other. */
export type Comment = {
  /** Without its marks, on one line. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
};

/** Directives of tools, and references of TypeScript. */
const DIRECTIVE = /^(biome-ignore|@ts-|@vite-|cspell:|<reference|#__)/;
const HEADLESS = /^(What|Who|Whoever|Of)\b/;

/**
 * Lists the comments of a source file, without directives of tools.
 *
 * @throws SyntaxError
 */
export function commentsOf(file: string, source: string): Comment[] {
  const parsed = parseSync(file, source);
  const error = parsed.errors[0];
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`);
  const found: { text: string; line: number; end: number; single: boolean }[] = [];
  const lineAt = lineCounter(source);
  for (const { type, value, start, end } of parsed.comments) {
    const text = textOf(value);
    if (text === '' || DIRECTIVE.test(text)) continue;
    const single = type === 'Line';
    const line = lineAt(start);
    const above = found.at(-1);
    if (single && above?.single && lineAt(above.end) === line - 1 && isBlank(source, above.end, start)) {
      above.text += ` ${text}`;
      above.end = end;
    } else found.push({ text, line, end, single });
  }
  return found.map(({ text, line }) => ({ text, line }));
}

/** Returns whether a comment begins with a clause that lacks its subject and verb: "What …", "Who …", "Of …". */
export function isHeadless({ text }: Comment): boolean {
  return HEADLESS.test(text);
}

/** Lists the sentences of a comment that have more than `max` words. Tags such as `@param` begin a sentence. */
export function longSentences({ text }: Comment, max: number): string[] {
  return text
    .split(/(?<=[.!?])\s+|\s+(?=@\w+)/)
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > max);
}

function textOf(value: string): string {
  return value
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function isBlank(source: string, from: number, to: number): boolean {
  return source.slice(from, to).trim() === '';
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
