import type { OverlayRequest } from '../lib/overlays.ts';
import { ownPath } from './guards.ts';

const ADDRESS = /^\/(?:app-(popup|popover|sheet)|setting-(popup))\/?(?:\?(.*))?$/s;
/** The size of an overlay must be in this range, in CSS pixels. */
const [MIN_SIZE, MAX_SIZE] = [160, 4_096];

/**
 * Returns the screen that an address opens over the current one; null for an ordinary address. The address is
 * untrusted, so it may lead only to paths of this app, and not to another overlay.
 */
export function overlayOf(address: string): OverlayRequest | null {
  const found = ADDRESS.exec(address.split('#', 1)[0] as string);
  if (found === null) return null;
  const [, app, setting, query] = found;
  const given = new URLSearchParams(query);
  const path = ownPath(given.get('url') ?? '');
  const isMeant = path !== null && !ADDRESS.test(path) && (setting === undefined || path.startsWith('/setting-'));
  const more = given.get('query');
  const url = isMeant ? (more === null ? path : `${path}${path.includes('?') ? '&' : '?'}${more}`) : '/missing/';
  const [width, height] = [sizeOf(given.get('width')), sizeOf(given.get('height'))];
  return {
    kind: (app ?? 'popup') as OverlayRequest['kind'],
    url,
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
    fullscreen: given.get('fullscreen') === 'true',
    swipeToClose: given.get('swipeToClose') !== 'false',
  };
}

function sizeOf(text: string | null): number | null {
  const size = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return size >= MIN_SIZE && size <= MAX_SIZE ? size : null;
}
