import type { ComponentType } from 'react';
import { matchRoute } from './matchRoute.ts';
import { MISSING, type Screen } from './route.ts';
import { routes } from './routes.ts';

/** A loaded screen is a component with the parameters of its address. */
export interface LoadedScreen {
  readonly component: ComponentType<object>;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns whether the route table has this address. */
export const hasScreen = (url: string): boolean => findRoute(url) !== null;

/**
 * Loads the screen of an address, or the "not found" screen when no route matches. Returns synchronously once its code
 * is loaded.
 */
export function loadScreen(url: string): LoadedScreen | Promise<LoadedScreen> {
  const { screen, params } = findRoute(url) ?? { screen: MISSING, params: {} };
  if (screen.component) return { component: screen.component, params };
  return screen.load().then((component) => ({ component, params }));
}

function findRoute(url: string): { screen: Screen; params: Record<string, string> } | null {
  const path = url.split(/[?#]/, 1)[0] as string;
  for (const [pattern, screen] of routes) {
    const params = matchRoute(pattern, path);
    if (params !== null) return { screen, params };
  }
  return null;
}
