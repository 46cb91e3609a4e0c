/** Returns the name of the browser's window or tab for the title of the screen in front. */
export const windowTitle = (title: string) => `${title} · Heron`;
