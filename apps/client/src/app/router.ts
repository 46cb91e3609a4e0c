import { askBefore, provideNavigation, stay } from '../lib/navigation.ts';
import { openOverlay } from '../lib/overlays.ts';
import { currentPreferences } from '../lib/preferences.ts';
import { currentSession } from '../lib/session.ts';
import { closeTopOverlay, onOverlay } from '../ui/Overlay.tsx';
import { inform } from '../ui/toasts.tsx';
import { admit, HOME, refusal } from './guards.ts';
import { currentEntry, type HistoryEntry, newEntryId, pushEntry, replaceEntry } from './historyEntry.ts';
import { NO_PAGES, type OpenPages, showPage } from './openPages.ts';
import { overlayOf } from './overlayAddress.ts';
import { setPath } from './path.ts';
import { type LoadedScreen, loadScreen } from './screens.ts';
import { type Motion, withMotion } from './viewTransition.ts';

/** A navigation is of one of these kinds. `restore`: the browser's Back or Forward has already moved to its entry. */
type Move = 'forward' | 'replace' | 'root' | 'restore';

let open: OpenPages = NO_PAGES;
const listeners = new Set<() => void>();

export const openPages = () => open;

export function onOpenPages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the address of the page in front. */
const frontUrl = () => open.front?.url ?? null;

const address = () => location.pathname + location.search;

/** Counts navigations: a page whose code arrives after a newer navigation is not shown. */
let newestMove = 0;

/**
 * Shows the page of an address and updates the browser's history. The address changes once the page's code is loaded.
 *
 * @param url admitted address
 */
async function show(url: string, move: Move): Promise<void> {
  const thisMove = ++newestMove;
  const loaded = loadScreen(url);
  const screen = loaded instanceof Promise ? await loaded : loaded;
  if (thisMove !== newestMove) return;
  const entry = writeEntry(url, move);
  setPath(url);
  commit(url, screen, entry, move);
}

function writeEntry(url: string, move: Move): HistoryEntry {
  const before = currentEntry();
  const index = before?.index ?? 0;
  const depth = before?.depth ?? 0;
  if (move === 'forward' || move === 'root') {
    const next = { id: newEntryId(), index: index + 1, depth: move === 'root' ? 0 : depth + 1 };
    pushEntry(next, url);
    return next;
  }
  const isNew = before === null || move === 'replace';
  const next = isNew ? { ...before, id: newEntryId(), index, depth } : before;
  if (isNew || address() !== url) replaceEntry(next, url);
  return next;
}

function commit(url: string, loaded: LoadedScreen, entry: HistoryEntry, move: Move): void {
  const page = { id: entry.id, index: entry.index, depth: entry.depth, url, loaded };
  const before = open.front;
  const isOpen = open.pages.some(({ id }) => id === page.id);
  const keep = move === 'forward' || move === 'replace' ? 'earlier' : isOpen ? 'all' : 'alone';
  withMotion(motionOf(move, before?.index ?? null, page.index), () => {
    open = showPage(open, page, keep);
    for (const listener of [...listeners]) listener();
  });
}

function motionOf(move: Move, from: number | null, to: number): Motion {
  if (from === null || move === 'replace' || move === 'root' || from === to) return 'none';
  return to > from ? 'forward' : 'back';
}

/** Returns the address to open. Without the required role the user stays at `current` and is informed. */
function admitted(url: string, current: string): string {
  const to = admit(url, currentSession());
  const lacking = refusal(to, currentSession());
  if (lacking === null) return to;
  const { t } = currentPreferences();
  void inform({ title: t('guard.title'), text: t(lacking === 'admin' ? 'guard.admin' : 'guard.editor') });
  return current;
}

function moveTo(path: string, move: Move): void {
  const overlay = overlayOf(path);
  if (overlay) {
    stay();
    openOverlay(overlay);
    return;
  }
  // After a sign-in this address is the login screen, which sends a user without the role to the home page.
  const here = admit(frontUrl() ?? HOME, currentSession());
  const to = admitted(path, refusal(here, currentSession()) === null ? here : HOME);
  if (to !== frontUrl()) {
    void show(to, move);
    return;
  }
  newestMove++;
  const entry = currentEntry();
  if (entry && address() !== to) replaceEntry(entry, to);
  stay();
}

/** Shows the page that the browser's Back or Forward has selected. */
function followBrowser(): void {
  const to = admitted(address(), HOME);
  const entry = currentEntry();
  if (to === frontUrl() && (entry === null || entry.id === open.front?.id)) {
    newestMove++;
    // Back has left the second entry of the first page: one more Back leaves the app.
    if (entry?.isBase) history.back();
    else stay();
    return;
  }
  void show(to, 'restore');
}

/**
 * Connects screens with the browser's history. Every navigation passes the guards. Back first closes the top overlay,
 * then asks about unsaved input, then returns to the previous page with its state.
 *
 * @param first address to begin with
 */
export function startRouter(first: string): void {
  const before = currentEntry();
  const base = { id: newEntryId(), index: before?.index ?? 0, depth: before?.depth ?? 0, isBase: true };
  replaceEntry(base, address());
  // Back from the first entry leaves the app even while an overlay is open. A second entry for the same page prevents
  // that.
  onOverlay(() => {
    const entry = currentEntry();
    if (entry?.isBase) pushEntry({ id: entry.id, index: entry.index + 1, depth: entry.depth }, frontUrl() ?? HOME);
  });
  provideNavigation({
    go: (path, how) => moveTo(path, how?.root ? 'root' : how?.replace ? 'replace' : 'forward'),
    back(fallback) {
      if ((open.front?.depth ?? 0) > 0) history.back();
      else moveTo(fallback, 'root');
    },
  });
  window.addEventListener('popstate', () => {
    if (closeTopOverlay() || askBefore(() => history.back())) undoBack();
    else followBrowser();
  });
  const overlay = overlayOf(first);
  void show(admitted(overlay ? HOME : first, HOME), 'restore');
  if (overlay) openOverlay(overlay);
}

/** Restores the address of the page in front after a Back that closed an overlay or asked the user. */
function undoBack(): void {
  const { front } = open;
  const index = (currentEntry()?.index ?? -1) + 1;
  if (front) pushEntry({ id: front.id, index, depth: front.depth }, front.url);
}
