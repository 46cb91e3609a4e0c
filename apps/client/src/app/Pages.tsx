import {
  Activity,
  Component,
  createElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { setFront } from '../lib/navigation.ts';
import { Crash, Waiting } from './LoadFallback.tsx';
import type { OpenPage } from './openPages.ts';
import { onOpenPages, openPages } from './router.ts';

/**
 * Renders the page in front, and the hidden pages for the browser's Back and Forward. Hidden pages keep their state but
 * run no effects: they fetch nothing and subscribe to nothing.
 */
export function Pages() {
  const { pages, front } = useSyncExternalStore(onOpenPages, openPages);
  if (front === null) return <Waiting />;
  return pages.map((page) => <PageSlot key={page.id} page={page} isFront={page.id === front.id} />);
}

/**
 * Holds the focus and scroll positions of a page while another page is in front. Browsers drop scroll positions of
 * elements that are not displayed.
 */
interface Place {
  focus: HTMLElement | null;
  readonly scrolled: Map<Element, { readonly top: number; readonly left: number }>;
}

const places = new WeakMap<HTMLElement, Place>();

let isFirst = true;

function PageSlot({ page, isFront }: { readonly page: OpenPage; readonly isFront: boolean }) {
  const slot = useRef<HTMLDivElement>(null);
  const { component, params } = page.loaded;

  // This effect runs before the effects of the screen, which read the page in front.
  useLayoutEffect(() => {
    const element = slot.current;
    if (!isFront || element === null) return;
    setFront(element);
    const place = places.get(element) ?? { focus: null, scrolled: new Map() };
    places.set(element, place);
    for (const [box, { top, left }] of place.scrolled) box.scrollTo({ top, left, behavior: 'instant' });
    // The first page leaves the focus to the browser.
    if (!isFirst) restoreFocus(element, place.focus);
    isFirst = false;
    return followPlace(element, place);
  }, [isFront]);

  return (
    <div ref={slot} className="page" inert={!isFront} hidden={!isFront}>
      <Activity mode={isFront ? 'visible' : 'hidden'}>
        <Boundary>{createElement(component, { ...params, url: page.url } as object)}</Boundary>
      </Activity>
    </div>
  );
}

/** Restores the focus on this page, or moves it to the heading, where reading begins. */
function restoreFocus(page: HTMLElement, before: HTMLElement | null): void {
  if (page.contains(document.activeElement)) return;
  const target = before?.isConnected ? before : page.querySelector<HTMLElement>('h1');
  target?.focus({ preventScroll: true });
}

/** Records focus and scroll positions of a page while it is in front. @returns stops the recording */
function followPlace(page: HTMLElement, place: Place): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  page.addEventListener('focusin', ({ target }) => (place.focus = target as HTMLElement), { signal });
  page.addEventListener(
    'scroll',
    ({ target }) => {
      if (target instanceof Element) place.scrolled.set(target, { top: target.scrollTop, left: target.scrollLeft });
    },
    { capture: true, passive: true, signal },
  );
  return () => listening.abort();
}

/** Shows the crash screen in place of a screen that throws; the rest of the app keeps working. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Crash error={this.state.error} />;
  }
}
