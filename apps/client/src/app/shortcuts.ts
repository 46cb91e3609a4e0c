/**
 * Describes the effect of a shortcut. `press` and `focus` find the element with `data-shortcut` on the page in front.
 * No shortcut trades: those for buying and selling only open the order sheet.
 */
export type ShortcutAct =
  | { readonly go: string }
  | { readonly press: 'buy' | 'sell' | 'pair'; readonly nth?: number }
  | { readonly focus: 'search' | 'period' }
  /** This moves by so many positions in the list of bots from the open one. */
  | { readonly bot: 1 | -1 }
  | 'list';

export interface Shortcut {
  /** The text has the key `shortcut.` and this id. */
  readonly id:
    | 'bots'
    | 'portfolio'
    | 'exchanges'
    | 'notifications'
    | 'settings'
    | 'add'
    | 'search'
    | 'buy'
    | 'sell'
    | 'pair'
    | 'nextBot'
    | 'lastBot'
    | 'period'
    | 'list';
  /** The keys are pressed one after the other. */
  readonly keys: readonly string[];
  readonly act: ShortcutAct;
}

const MAX_PAIRS = 9;

/** These are all shortcuts of the app. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: 'bots', keys: ['g', 'b'], act: { go: '/bots/' } },
  { id: 'portfolio', keys: ['g', 'p'], act: { go: '/portfolio/' } },
  { id: 'exchanges', keys: ['g', 'e'], act: { go: '/exchange-index/' } },
  { id: 'notifications', keys: ['g', 'n'], act: { go: '/notify-index/' } },
  { id: 'settings', keys: ['g', 's'], act: { go: '/setting-index/' } },
  { id: 'add', keys: ['n'], act: { go: '/bot-add/' } },
  { id: 'search', keys: ['/'], act: { focus: 'search' } },
  { id: 'buy', keys: ['b'], act: { press: 'buy' } },
  { id: 'sell', keys: ['s'], act: { press: 'sell' } },
  ...Array.from({ length: MAX_PAIRS }, (_, nth): Shortcut => {
    return { id: 'pair', keys: [String(nth + 1)], act: { press: 'pair', nth } };
  }),
  { id: 'nextBot', keys: ['j'], act: { bot: 1 } },
  { id: 'lastBot', keys: ['k'], act: { bot: -1 } },
  { id: 'period', keys: ['.'], act: { focus: 'period' } },
  { id: 'list', keys: ['?'], act: 'list' },
];

/**
 * Matches a key together with the keys before it.
 *
 * @returns the shortcut that is complete, the keys so far of one that may become so, or null
 */
export function nextShortcut(before: readonly string[], key: string): Shortcut | readonly string[] | null {
  for (const keys of [[...before, key], [key]]) {
    const begun = SHORTCUTS.filter((one) => keys.every((each, at) => one.keys[at] === each));
    const done = begun.find((one) => one.keys.length === keys.length);
    if (done) return done;
    if (begun.length > 0) return keys;
  }
  return null;
}
