import { useEffect } from 'react';
import { isBuildOutdated, ownBuild } from '../lib/build.ts';
import { Waiting } from './LoadFallback.tsx';

const KEY = 'heron.staleBuild';

/**
 * Returns whether a reload may load a screen whose files are gone because the server now has another build. It is true
 * only once per build, so that a reload that does not help is not repeated.
 */
export async function mayReload(): Promise<boolean> {
  if (!(await isBuildOutdated())) return false;
  try {
    if (sessionStorage.getItem(KEY) === ownBuild()) return false;
    sessionStorage.setItem(KEY, ownBuild());
    return true;
  } catch {
    return false;
  }
}

interface StaleBuildProps {
  /** This is the requested address; an overlay has none. */
  readonly url?: string;
}

/** Replaces a screen whose files are gone, and reloads the page at its address. */
export function StaleBuild({ url }: StaleBuildProps) {
  useEffect(() => {
    const { pathname, search } = location;
    if (url === undefined || pathname + search === url) location.reload();
    else location.assign(url);
  }, [url]);
  return <Waiting />;
}
