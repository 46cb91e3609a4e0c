import { withDemoVenue } from '@heron/engine/options/document.ts';
import { type Draft, emptyDraft } from './draft.ts';

const KEY = 'heron.newBot';
const VERSION = 2;
const BEFORE_VENUES = 1;

/** The stored state of the form for a new bot. */
export interface KeptDraft {
  readonly draft: Draft;
  /** Id of the template that it began with; "" for the defaults, null for a set-up that came from elsewhere. */
  readonly template: string | null;
  /** The paired bot host where it is to run; null for this Heron's own. */
  readonly host: string | null;
}

/** Returns the member's stored draft of this window; null when there is none, or it belongs to somebody else. */
export function keptDraft(owner: number): KeptDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    // Written by this app in this window, so its parts are there when its version and its owner are right.
    if (kept?.owner !== owner) return null;
    if (kept.version === VERSION) return completed(kept);
    return kept.version === BEFORE_VENUES ? completed(onDemoMarket(kept)) : null;
  } catch {
    return null;
  }
}

function onDemoMarket(kept: KeptDraft): KeptDraft {
  return { ...kept, draft: { ...kept.draft, texts: withDemoVenue(kept.draft.texts) } };
}

/** Keeps it until the window is closed or the bot is made. */
export function keepDraft(owner: number, kept: KeptDraft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ version: VERSION, owner, ...kept }));
  } catch {
    // A window that keeps nothing still makes bots.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept, then.
  }
}

/** With the options that were new when the app was updated meanwhile. */
function completed({ draft, template, host = null }: Omit<KeptDraft, 'host'> & Partial<KeptDraft>): KeptDraft {
  const { texts, tables } = emptyDraft();
  const whole = { ...draft, texts: { ...texts, ...draft.texts }, tables: { ...tables, ...draft.tables } };
  return { draft: whole, template, host };
}
