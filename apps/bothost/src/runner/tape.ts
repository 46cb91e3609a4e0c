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
 * after it are fed to. A take-over writes such a line again. Changes that were not saved are lost with their worker, so a
 * replay continues from the new line, as the bot did.
 *
 * @param session result of the engine's `saveSession`
 */
export function openTape(folder: string, bot: string, session: string): Tape {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${bot}.ndjson`);
  // Synchronous, so that the event is in the file before the bot handles it, even if the process crashes.
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  write({ session });
  return { record: write };
}
