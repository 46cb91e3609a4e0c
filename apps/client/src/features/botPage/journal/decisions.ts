import type { JournalEntry } from '@heron/contract/bots/entities.ts';

/** Journal entries that belong together: a parent order with its cause and consequences, or a single entry. */
export interface Decision {
  readonly key: string;
  /** Id of the parent order; null for a single entry. */
  readonly order: string | null;
  /** Oldest first, so that a cause is above its effect. */
  readonly lines: readonly JournalEntry[];
  /** False while the begin of the order is not among the loaded entries. */
  readonly isWhole: boolean;
}

/** Subjects of decisions, for the filter. */
export const DECISION_SUBJECTS = ['orders', 'signals', 'control', 'account'] as const;
export type DecisionSubject = (typeof DECISION_SUBJECTS)[number];

const SUBJECTS: Readonly<Record<JournalEntry['kind'], DecisionSubject>> = {
  command: 'control',
  status: 'control',
  signal: 'signals',
  refusal: 'signals',
  intent: 'orders',
  order: 'orders',
  fill: 'orders',
  intent_end: 'orders',
  position_closed: 'orders',
  ladder: 'orders',
  leverage: 'signals',
  volume: 'signals',
  suspension: 'account',
  phase: 'signals',
  funding: 'account',
  liquidation: 'account',
  alarm: 'account',
  external: 'account',
};

export function subjectOf({ order, lines }: Decision): DecisionSubject {
  const kind = lines[0]?.kind;
  return order !== null || kind === undefined ? 'orders' : SUBJECTS[kind];
}

/** Entries that an order causes at the same time. */
const EFFECTS: ReadonlySet<JournalEntry['kind']> = new Set(['phase', 'position_closed']);
/** Entries that cause the order that follows at the same time. */
const CAUSES: ReadonlySet<JournalEntry['kind']> = new Set(['command', 'signal']);

/**
 * Groups journal entries by decision, the one that changed last first.
 *
 * @param entries newest first, without holes
 */
export function decisionsOf(entries: readonly JournalEntry[]): Decision[] {
  const groups = new Map<string, { order: string | null; lines: JournalEntry[] }>();
  const oldestFirst = entries.toReversed();
  let last: { order: string; line: JournalEntry } | null = null;
  for (const [index, line] of oldestFirst.entries()) {
    let order = orderOf(line);
    if (order === null && last !== null && EFFECTS.has(line.kind) && isAlong(last.line, line)) order = last.order;
    if (order === null && CAUSES.has(line.kind)) order = causedOrder(oldestFirst, index);
    last = order === null ? last : { order, line };
    const key = order === null ? `line ${line.seq}` : `order ${order}`;
    const group = groups.get(key) ?? { order, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups]
    .map(([key, { order, lines }]) => ({ key, order, lines, isWhole: order === null || beginsWith(lines) }))
    .sort((a, b) => newestOf(b) - newestOf(a));
}

const beginsWith = (lines: readonly JournalEntry[]) => lines.some(({ kind }) => kind === 'intent');
const newestOf = ({ lines }: Decision) => lines.at(-1)?.seq ?? 0;
const isAlong = (one: JournalEntry, other: JournalEntry) => one.at === other.at && one.pair === other.pair;

/** Returns the id of the parent order of an entry; null for entries of none. */
function orderOf({ kind, data }: JournalEntry): string | null {
  if (kind === 'intent' || kind === 'intent_end') return String(data.id);
  return (kind === 'order' || kind === 'fill') && typeof data.intent === 'string' ? data.intent : null;
}

/** Returns the order that begins right after its cause. */
function causedOrder(oldestFirst: readonly JournalEntry[], index: number): string | null {
  const cause = oldestFirst[index] as JournalEntry;
  for (const line of oldestFirst.slice(index + 1)) {
    if (!isAlong(cause, line)) return null;
    if (line.kind === 'intent') return orderOf(line);
    if (!EFFECTS.has(line.kind)) return null;
  }
  return null;
}
