/** A span of time that includes `from` and excludes `to`, ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Joins touching and overlapping spans; the result is sorted and has no empty span. */
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

/** Returns the parts of `whole` outside of all `spans`, in order. */
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
