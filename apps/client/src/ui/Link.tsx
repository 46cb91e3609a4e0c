import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go } from '../lib/navigation.ts';
import { type OverlayWish, openOver } from '../lib/overlays.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  /** Begins a new stack, as a tab does. */
  readonly root?: boolean;
  /** Takes the query of the address along, in which the login screen has where the person was going. */
  readonly keepsQuery?: boolean;
  /** Shows the screen over the one that is there, which so stays as it is. */
  readonly over?: OverlayWish['kind'];
}

/** A link inside the app. A real address, so that a middle click opens a new window. */
export function Link({ href, root = false, keepsQuery = false, over, onClick, ...rest }: LinkProps) {
  // Asked for anew at the click: while a screen comes in, the address is still that of the one before.
  const to = () => (keepsQuery ? href + location.search : href);

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (over) openOver({ kind: over, url: to(), near: event.currentTarget.getBoundingClientRect() });
    else go(to(), { root });
  }
  return <a href={to()} onClick={follow} {...rest} />;
}
