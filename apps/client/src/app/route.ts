import type { ComponentType } from 'react';
import { loadAllTexts } from '../lib/preferences.ts';
import type { Extent } from '../locales/loadTexts.ts';
import { crashScreen, Missing } from './LoadFallback.tsx';
import { mayReload, StaleBuild } from './StaleBuild.tsx';

/** Describes a screen of the route table. `component` is set once its code is loaded. */
export interface Screen {
  component: ComponentType<object> | null;
  load(): Promise<ComponentType<object>>;
}

/** Creates a screen whose code is part of the first load. */
export function loadedScreen(component: ComponentType<object>): Screen {
  return { component, load: async () => component };
}

/**
 * Creates a screen in its own chunk, with its texts.
 *
 * A failed load is tried once more. After that the page reloads if the server has another build, and otherwise a crash
 * screen appears. Neither is cached, so that the next visit tries again.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  texts: Extent = 'all',
): Screen {
  const fetchScreen = async () => (await Promise.all([load(), texts === 'all' && loadAllTexts()]))[0];
  const screen: Screen = {
    component: null,
    async load() {
      try {
        // The route's parameters match the props of the screen; a test opens every route.
        screen.component = (await fetchScreen().catch(fetchScreen)) as ComponentType<object>;
        return screen.component;
      } catch (error) {
        return (await mayReload()) ? StaleBuild : crashScreen(error);
      }
    },
  };
  return screen;
}

/** This screen is shown for every address without a route. */
export const MISSING = loadedScreen(Missing);
