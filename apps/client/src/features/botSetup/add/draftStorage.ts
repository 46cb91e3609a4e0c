import { withDemoVenue } from '@heron/engine/options/document.ts';
import { type Draft, emptyDraft } from './draft.ts';

const KEY = 'heron.newBot';
const VERSION = 2;
const BEFORE_VENUES = 1;

/** Holds the stored state of the form for a new bot. */
export interface StoredDraft {
  readonly draft: Draft;
  /** Id of the template that the draft started from; "" for the defaults, null for an imported or copied setup. */
  readonly template: string | null;
  /** The paired bot host that is to run the bot; null for this Heron's own host. */
  readonly host: string | null;
}

/** Returns the member's stored draft of this window; null when there is none, or it belongs to another member. */
export function readDraft(owner: number): StoredDraft | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    // This app wrote the draft in this window, so a draft of the right version and owner is complete.
    if (stored?.owner !== owner) return null;
    if (stored.version === VERSION) return completed(stored);
    return stored.version === BEFORE_VENUES ? completed(onDemoMarket(stored)) : null;
  } catch {
    return null;
  }
}

function onDemoMarket(stored: StoredDraft): StoredDraft {
  return { ...stored, draft: { ...stored.draft, texts: withDemoVenue(stored.draft.texts) } };
}

/** Stores the draft until the window is closed or the bot is created. */
export function storeDraft(owner: number, stored: StoredDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: VERSION, owner, ...stored }));
  } catch {
    // A window without storage can still create bots.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There is no stored draft to delete when the browser refuses storage.
  }
}

/** Adds the options that an update of the app introduced meanwhile. */
function completed({ draft, template, host = null }: Omit<StoredDraft, 'host'> & Partial<StoredDraft>): StoredDraft {
  const { texts, tables } = emptyDraft();
  const whole = { ...draft, texts: { ...texts, ...draft.texts }, tables: { ...tables, ...draft.tables } };
  return { draft: whole, template, host };
}
