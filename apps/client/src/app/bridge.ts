import type { Router } from 'framework7/types';
import { askBefore, provideNavigation, setFront, stay } from '../lib/navigation.ts';
import { openOver } from '../lib/overlays.ts';
import { currentPreferences } from '../lib/preferences.ts';
import { currentSession } from '../lib/session.ts';
import { closeTopOverlay, onOverlay } from '../ui/Overlay.tsx';
import { inform } from '../ui/toasts.tsx';
import { windowTitle } from '../ui/windowTitle.ts';
import { admit, HOME, refusal } from './guards.ts';
import { beginTurn } from './latestNavigation.ts';
import { overlayOf } from './overlayAddress.ts';

/** Where a person is let in who wants to open an address. Who lacks the role for it is told so, and led nowhere new. */
function enter(url: string, stay: string): string {
  const to = admit(url, currentSession());
  const lacking = refusal(to, currentSession());
  if (lacking === null) return to;
  const { t } = currentPreferences();
  void inform({ title: t('guard.title'), text: t(lacking === 'admin' ? 'guard.admin' : 'guard.editor') });
  return stay;
}

/** What the router tells of a page on the move; its types leave `swipeBack` out. */
interface MovingPage {
  readonly el: HTMLElement;
  /** The finger still holds it. */
  readonly swipeBack?: boolean;
}

/**
 * Ties Framework7's router to the address bar by hand. Its own browser history lets deep links pass guards, so it is off:
 * every move goes through `admit` here, the address follows each move, and the browser's Back first closes what lies on
 * top, then asks if something typed would be lost, then returns along the router's history.
 *
 * @param first address to begin with
 */
export function bridge(router: Router.Router, first: string): void {
  let depth = router.history.length;
  /** Address of the last move that was followed. */
  let followed = '';
  /** Steps of the browser's history that we caused and must not act upon. */
  let ignored = 0;
  /** The move under way comes from the browser: its history is already right. */
  let fromBrowser = false;
  /** How the next move is written down when the router's history did not grow. */
  let write: 'push' | 'replace' = 'replace';

  /** What to do when the move under way has ended: the router drops or garbles moves that come during one. */
  let next: (() => void) | null = null;

  /** The first page leaves the focus to the browser. */
  let begun = false;

  const address = () => location.pathname + location.search;

  // What the browser had when the app began. Back from there leaves the app, whatever lies over the screen: so before
  // something does, the same screen gets a second place in the history.
  history.replaceState({ base: true }, '');
  const isAtBase = () => history.state?.base === true;
  onOverlay(() => {
    if (isAtBase() && ignored === 0) history.pushState(null, '', router.currentRoute.url);
  });

  // Not `routeChange`: forwards it comes before the router's history has grown. A swipe may still be taken back.
  router.app.on('pageBeforeIn', (page: MovingPage) => {
    if (!page.swipeBack) follow();
    // After this event the router shows the old page to screen readers again for as long as it moves.
    queueMicrotask(() => bringForward(page.el));
  });
  router.app.on('pageAfterIn', ({ el }: MovingPage) => {
    follow();
    bringForward(el);
    if (begun) takeFocus(el);
    begun ||= followed !== '';
    // The router still tidies up after this event.
    queueMicrotask(() => {
      const act = next;
      next = null;
      act?.();
    });
  });

  /** Makes the address follow the router's move; once, however often it is called. */
  function follow() {
    const { url } = router.currentRoute;
    const grown = router.history.length - depth;
    if (url === followed && grown === 0) return;
    followed = url;
    depth = router.history.length;
    if (fromBrowser) {
      fromBrowser = false;
      // Unless the browser has moved on meanwhile: then the address is where to go next.
      if (next === null && address() !== url) history.replaceState(history.state, '', url);
    } else if (grown < 0 && write !== 'push') {
      ignored++;
      history.go(grown);
    } else if (grown > 0 || write === 'push') {
      history.pushState(null, '', url);
    } else {
      history.replaceState(history.state, '', url);
    }
    write = 'replace';
  }

  function whenSettled(act: () => void) {
    if (router.allowPageChange) act();
    else next = act;
  }

  function move(path: string, how: 'forward' | 'root' | 'replace') {
    const over = overlayOf(path);
    if (over) {
      stay();
      return openOver(over);
    }
    // After a login the address is that of the login screen, which leads a person without the role home.
    const here = admit(router.currentRoute?.url ?? HOME, currentSession());
    const to = enter(path, refusal(here, currentSession()) === null ? here : HOME);
    beginTurn();
    // A step of the browser that has led nowhere yet.
    fromBrowser = false;
    if (to === router.currentRoute?.url) {
      if (address() !== to) history.replaceState(history.state, '', to);
      return stay();
    }
    if (how === 'root') {
      write = 'push';
      router.navigate(to, { reloadAll: true, animate: false });
    } else {
      router.navigate(to, how === 'replace' ? { reloadCurrent: true, animate: false } : {});
    }
  }

  /** Shows what the browser's Back or Forward has put into the address bar. */
  function followBrowser() {
    const to = enter(address(), HOME);
    beginTurn();
    if (to === router.currentRoute.url) {
      // That was only the second place of the first screen.
      if (isAtBase()) history.back();
      else stay();
      return;
    }
    fromBrowser = true;
    if (router.history.at(-2) === to) router.back();
    else router.navigate(to, { reloadAll: true, animate: false });
  }

  provideNavigation({
    go: (path, how) => whenSettled(() => move(path, how?.root ? 'root' : how?.replace ? 'replace' : 'forward')),
    back(fallback) {
      if (router.history.length > 1) history.back();
      else whenSettled(() => move(fallback, 'root'));
    },
  });

  window.addEventListener('popstate', () => {
    if (ignored > 0) ignored--;
    else if (closeTopOverlay() || askBefore(() => history.back())) history.pushState(null, '', router.currentRoute.url);
    else whenSettled(followBrowser);
  });

  const over = overlayOf(first);
  router.navigate(enter(over ? HOME : first, HOME), { reloadAll: true, animate: false });
  if (over) openOver(over);
}

/** What had the focus on a page when another came over it. */
const focused = new WeakMap<HTMLElement, HTMLElement>();

/** Pages below the one on top stay drawn for the way back, but nothing in them can be reached or read meanwhile. */
function bringForward(top: HTMLElement): void {
  setFront(top);
  const { activeElement } = document;
  for (const page of top.parentElement?.querySelectorAll<HTMLElement>(':scope > .page') ?? []) {
    if (page !== top && activeElement instanceof HTMLElement && page.contains(activeElement)) {
      focused.set(page, activeElement);
    }
    page.inert = page !== top;
    page.ariaHidden = page === top ? null : 'true';
  }
  const { title } = top.dataset;
  if (title) document.title = windowTitle(title);
}

/** Puts the focus where it was on this page, or on its heading: where reading begins. */
function takeFocus(top: HTMLElement): void {
  if (top.contains(document.activeElement)) return;
  const before = focused.get(top);
  const target = before?.isConnected ? before : top.querySelector<HTMLElement>('h1');
  target?.focus({ preventScroll: true });
}
