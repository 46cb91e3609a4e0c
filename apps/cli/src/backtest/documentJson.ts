import type { BacktestDocument } from '@heron/engine/report/document.ts';
import type { DocumentRows } from '@heron/engine/report/documentRows.ts';

/** Length at which a part is passed on, in characters. */
const PART = 0x10000;

/**
 * Writes the document as one line of JSON, as `JSON.stringify` does, but in parts. So tens of thousands of fills and
 * trades are never in memory at once as objects and as text.
 */
export function* documentJson(document: BacktestDocument, rows: DocumentRows): Generator<string> {
  let before = '{';
  for (const key of Object.keys(document) as (keyof BacktestDocument)[]) {
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (isLong(key, rows)) yield* listJson(rows[key]);
    else yield JSON.stringify(document[key]);
  }
  yield '}\n';
}

function isLong(key: string, rows: DocumentRows): key is keyof DocumentRows {
  return Object.hasOwn(rows, key);
}

function* listJson(list: Iterable<unknown>): Generator<string> {
  let text = '[';
  let comma = '';
  for (const item of list) {
    text += comma + JSON.stringify(item);
    comma = ',';
    if (text.length < PART) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}
