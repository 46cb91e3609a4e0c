import type { ExternalChange } from '@heron/engine/live/externalChange.ts';
import type { Note } from '@heron/engine/session/journal.ts';

/** Interval between the first two notifications of a cause; each further interval is four times as long. */
const FIRST_INTERVAL_MS = 60_000;
const INTERVAL_GROWS = 4;
const LONGEST_INTERVAL_MS = 6 * 3_600_000;
/** A cause without an entry for this time counts as new. */
const FORGOTTEN_MS = 3_600_000;

/** Events that repeat without new information. Money that moves always makes a notification. */
const REPEATING: ReadonlySet<string> = new Set<ExternalChange>([
  'order_refused',
  'order_absent',
  'unknown_order',
  'stop_gone',
  'stop_in_part',
  'no_stop',
  'settings',
]);

interface NotificationCause {
  newestAt: number;
  /** Until this time its journal entries are counted and make no notification. */
  quietUntil: number;
  intervalMs: number;
  /** Number of journal entries since its last notification. */
  times: number;
}

/** Limits how often the journal entries of one bot with the same cause make a notification. */
export interface NotificationThrottle {
  /** Returns the entries. An entry with `quiet` makes no notification; one with `times` represents several. */
  throttle(notes: readonly Note[]): readonly Note[];
}

/** Lets each cause make one notification, and further ones with a count after growing intervals. */
export function openNotificationThrottle(): NotificationThrottle {
  const causes = new Map<string, NotificationCause>();

  function throttleOne(note: Note): Note {
    const name = causeOf(note);
    if (name === null) return note;
    const { at } = note;
    const known = causes.get(name);
    if (known === undefined || isForgotten(known, at)) {
      causes.set(name, { newestAt: at, quietUntil: at + FIRST_INTERVAL_MS, intervalMs: FIRST_INTERVAL_MS, times: 0 });
      return note;
    }
    known.newestAt = at;
    known.times += 1;
    if (at < known.quietUntil) return { ...note, data: { ...note.data, quiet: true } };
    const { times } = known;
    known.times = 0;
    known.intervalMs = Math.min(LONGEST_INTERVAL_MS, known.intervalMs * INTERVAL_GROWS);
    known.quietUntil = at + known.intervalMs;
    return { ...note, data: { ...note.data, times } };
  }

  return {
    throttle(notes) {
      const now = notes.at(-1)?.at ?? 0;
      for (const [name, cause] of causes) if (isForgotten(cause, now)) causes.delete(name);
      return notes.map(throttleOne);
    },
  };
}

function isForgotten({ newestAt, intervalMs }: NotificationCause, now: number): boolean {
  return now - newestAt >= Math.max(FORGOTTEN_MS, intervalMs);
}

/** Names the cause of an entry that may repeat; null for an entry that always makes a notification. */
function causeOf({ kind, pair, data }: Note): string | null {
  const what = String(data.what);
  if (kind !== 'alarm' && !(kind === 'external' && REPEATING.has(what))) return null;
  // The owner must learn of each loss of connection and of its end.
  if (what.endsWith('_away') || what.endsWith('_back')) return null;
  // Prices, quantities and order ids differ between messages with the same cause.
  const why = String(data.why ?? '').replaceAll(/\d+/g, '#');
  return [kind, what, pair, why].join(' ');
}
