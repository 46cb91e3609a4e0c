/**
 * Parses `watch_pairs`: items split by comma, semicolon, space or newline, each `[exchange.]ASSET-CURRENCY` (also with `/` or
 * `_`). Pairs are upper-cased, and duplicates are dropped.
 *
 * @returns the pairs in their order, and the items that are not pairs
 * @see docs/bot-lifecycle.md#watched-pairs
 */
export function parsePairs(text: string): { pairs: string[]; unreadable: string[] } {
  const pairs = new Set<string>();
  const unreadable: string[] = [];
  for (const item of text.split(/[,;\s]+/)) {
    if (item === '') continue;
    const match = /^(?:[a-z]+\.)?([A-Z0-9]{1,20})[-/_]([A-Z0-9]{2,12})$/i.exec(item);
    if (match) pairs.add(`${match[1]}-${match[2]}`.toUpperCase());
    else unreadable.push(item);
  }
  return { pairs: [...pairs], unreadable };
}
