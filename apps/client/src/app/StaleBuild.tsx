import type { Router } from 'framework7/types';
import { useEffect } from 'react';
import { isOutdated, ownBuild } from '../lib/build.ts';
import { Waiting } from './LoadFallback.tsx';

const KEY = 'heron.anew';

/**
 * Whether loading the page anew brings a screen whose files the server has no more, because it has another build by now.
 * Only once for a build: what does not help must not be done for ever.
 */
export async function mayLoadAnew(): Promise<boolean> {
  if (!(await isOutdated())) return false;
  try {
    if (sessionStorage.getItem(KEY) === ownBuild()) return false;
    sessionStorage.setItem(KEY, ownBuild());
    return true;
  } catch {
    return false;
  }
}

/** Takes the place of such a screen until the page has been loaded. @param f7route address that was asked for; none over another screen */
export function Anew({ f7route }: { f7route?: Router.Route }) {
  useEffect(() => {
    const { pathname, search } = location;
    if (!f7route || pathname + search === f7route.url) location.reload();
    else location.assign(f7route.url);
  }, [f7route]);
  return <Waiting />;
}
