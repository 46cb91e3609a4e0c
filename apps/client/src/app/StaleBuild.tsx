import { useEffect } from 'react';
import { isOutdated, ownBuild } from '../lib/build.ts';
import { Waiting } from './LoadFallback.tsx';

const KEY = 'heron.anew';

/**
 * Whether reloading the page may bring a screen whose files the server no longer has, because it serves another build by now.
 * True only once per build, so that a reload that does not help is not repeated.
 */
export async function mayReload(): Promise<boolean> {
  if (!(await isOutdated())) return false;
  try {
    if (sessionStorage.getItem(KEY) === ownBuild()) return false;
    sessionStorage.setItem(KEY, ownBuild());
    return true;
  } catch {
    return false;
  }
}

interface StaleBuildProps {
  /** Address that was asked for; none in an overlay. */
  readonly url?: string;
}

/** Stands in for such a screen and reloads the page at its address. */
export function StaleBuild({ url }: StaleBuildProps) {
  useEffect(() => {
    const { pathname, search } = location;
    if (url === undefined || pathname + search === url) location.reload();
    else location.assign(url);
  }, [url]);
  return <Waiting />;
}
