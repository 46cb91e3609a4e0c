import type { ComponentType } from 'react';
import { loadAllTexts } from '../lib/preferences.ts';
import type { Extent } from '../locales/loadTexts.ts';
import { crashScreen, Missing } from './LoadFallback.tsx';
import { mayReload, StaleBuild } from './StaleBuild.tsx';

/** A screen of the route table. `component` is there once its code is loaded. */
export interface Screen {
  component: ComponentType<object> | null;
  load(): Promise<ComponentType<object>>;
}

/** A screen whose code comes with the first load. */
export function loadedScreen(component: ComponentType<object>): Screen {
  return { component, load: async () => component };
}

/**
 * A screen in a chunk of its own, with the texts that it shows.
 *
 * A failed load is tried once more. Then the page is reloaded if the server has another build by now, else a crash screen
 * says that the screen is missing; neither is cached, so that the next visit tries again.
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
        // The route's parameters are what the screen declares; a test opens every route.
        screen.component = (await fetchScreen().catch(fetchScreen)) as ComponentType<object>;
        return screen.component;
      } catch (error) {
        return (await mayReload()) ? StaleBuild : crashScreen(error);
      }
    },
  };
  return screen;
}

/** Screen of every address that no route has. */
export const MISSING = loadedScreen(Missing);
