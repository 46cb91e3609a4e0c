/** A stretch of time: `from` belongs to it, `to` does not. ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The same time as few spans in order, none of them empty and no two touching. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (to <= from) continue;
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** What of `whole` lies in none of `spans`, in order. */
export function remainingSpans(whole: Span, spans: readonly Span[]): Span[] {
  const left: Span[] = [];
  let { from } = whole;
  for (const span of joinedSpans(spans)) {
    if (span.to <= from) continue;
    if (span.from >= whole.to) break;
    if (span.from > from) left.push({ from, to: span.from });
    from = span.to;
  }
  if (from < whole.to) left.push({ from, to: whole.to });
  return left;
}
