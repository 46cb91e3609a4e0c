import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go } from '../lib/navigation.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  /** Begins a new stack, as a tab does. */
  readonly root?: boolean;
}

/** A link inside the app. A real address, so that a middle click opens a new window. */
export function Link({ href, root = false, onClick, ...rest }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(href, { root });
  }
  return <a href={href} onClick={follow} {...rest} />;
}
