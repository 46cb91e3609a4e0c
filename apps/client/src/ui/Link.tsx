import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go } from '../lib/navigation.ts';
import { type OverlayRequest, openOverlay } from '../lib/overlays.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  /** The link starts a new stack, as a tab does. */
  readonly root?: boolean;
  /** The link keeps the query of the address, in which the login screen stores the return address. */
  readonly keepsQuery?: boolean;
  /** The link opens the screen over the current one, which stays unchanged. */
  readonly over?: OverlayRequest['kind'];
}

/** Renders a link inside the app. It has a real address, so that a middle click opens a new window. */
export function Link({ href, root = false, keepsQuery = false, over, onClick, ...rest }: LinkProps) {
  // The query is read again at the click: while a screen loads, the address is still that of the previous screen.
  const to = () => (keepsQuery ? href + location.search : href);

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (over) openOverlay({ kind: over, url: to(), near: event.currentTarget.getBoundingClientRect() });
    else go(to(), { root });
  }
  return <a href={to()} onClick={follow} {...rest} />;
}
