import type { LoadedScreen } from './screens.ts';

/** An open page is a screen with its position in the browser's history. */
export interface OpenPage {
  /** The id identifies the history entry. */
  readonly id: string;
  /** The position is that of the history entry; larger is newer. */
  readonly index: number;
  /**
   * Counts the entries since the app opened this stack at its root. It is 0 at the root, where Back opens a fallback.
   */
  readonly depth: number;
  readonly url: string;
  readonly loaded: LoadedScreen;
}

/** Holds the mounted pages and the one in front. Hidden pages keep their input and scroll positions. */
export interface OpenPages {
  readonly pages: readonly OpenPage[];
  readonly front: OpenPage | null;
}

export const NO_PAGES: OpenPages = { pages: [], front: null };

/** At most this many hidden pages stay mounted for Back and Forward. */
const MAX_HIDDEN = 3;

/**
 * Puts a page in front.
 *
 * A new page makes all later history entries unreachable, so their pages are dropped; `alone` drops every other page.
 * The hidden pages that are nearest in the history stay.
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
