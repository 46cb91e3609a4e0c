import type { LoadedScreen } from './screens.ts';

/** A screen with its place in the browser's history. */
export interface OpenPage {
  /** Identifies the history entry. */
  readonly id: string;
  /** Position of the history entry; larger is newer. */
  readonly index: number;
  /** Entries since the app opened this part at its root: 0 at the root, from where Back leads to a fallback. */
  readonly depth: number;
  readonly url: string;
  readonly loaded: LoadedScreen;
}

/** All pages that are kept, and the one in front. Hidden ones keep what was typed and where they were scrolled to. */
export interface OpenPages {
  readonly pages: readonly OpenPage[];
  readonly front: OpenPage | null;
}

export const NO_PAGES: OpenPages = { pages: [], front: null };

/** Hidden pages that are kept for Back and Forward. */
const MAX_HIDDEN = 3;

/**
 * Puts a page in front.
 *
 * A new page makes all later history entries unreachable, so their pages are dropped; `alone` drops every other page.
 * Of the hidden pages the nearest in the history are kept.
 */
export function showPage({ pages }: OpenPages, front: OpenPage, keep: 'earlier' | 'all' | 'alone'): OpenPages {
  const others = pages.filter(
    ({ id, index }) => id !== front.id && (keep === 'all' || (keep === 'earlier' && index < front.index)),
  );
  const nearest = others
    .toSorted((a, b) => Math.abs(a.index - front.index) - Math.abs(b.index - front.index))
    .slice(0, MAX_HIDDEN);
  return { pages: [...others.filter((page) => nearest.includes(page)), front], front };
}
