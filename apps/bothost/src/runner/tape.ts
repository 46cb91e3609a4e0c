import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ExecutionEvent } from '@heron/engine/live/executionEvent.ts';
import type { MarketEvent } from '@heron/engine/state/botEvents.ts';

/** A record of all events that were fed to a bot; a replay of it makes the same decisions. */
export interface Tape {
  /** Writes an event; must be called before the event is fed. */
  record(event: MarketEvent | ExecutionEvent): void;
}

/**
 * Opens `<folder>/<bot>.ndjson` for appending. Its first line is `{"session": text}`, the saved session that the events
 * after it are fed to. A take-over writes such a line again: what an event changed without being saved is lost with its
 * worker, so a replay goes on from there as the bot did.
 *
 * @param session what the engine's `saveSession` gave
 */
export function openTape(folder: string, bot: string, session: string): Tape {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${bot}.ndjson`);
  // Synchronous on purpose: the line is in the file before the bot knows of the event, whatever ends this process.
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  write({ session });
  return { record: write };
}
