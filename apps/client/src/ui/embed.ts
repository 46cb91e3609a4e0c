import { createContext } from 'react';

/** Whoever shows a screen in a frame of its own: is told the heading, and gives it a bar. Null where a screen is a page. */
export const Embed = createContext<((title: string) => void) | null>(null);
