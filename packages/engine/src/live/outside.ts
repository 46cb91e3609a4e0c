import type { Turn } from './turn.ts';

/** Something that happened without the bot, or that it did not expect: for the journal. @see accounting.md 5 */
export function noteOutside(
  turn: Turn,
  pair: string | null,
  data: Record<string, string | number | boolean | null>,
): void {
  turn.durable = true;
  turn.session.notes.push({ at: turn.at, pair, kind: 'external', data });
}
