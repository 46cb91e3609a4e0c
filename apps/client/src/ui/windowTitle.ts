/** Name of the browser's window or tab while a screen of this title is in front. */
export const windowTitle = (title: string) => `${title} · Heron`;
