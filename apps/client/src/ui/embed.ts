import { createContext } from 'react';

/**
 * A component that shows a screen in its own frame provides this function, which receives the heading. It is null where
 * a screen is a page.
 */
export const Embed = createContext<((title: string) => void) | null>(null);
