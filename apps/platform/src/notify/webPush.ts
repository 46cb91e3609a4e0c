import type webPush from 'web-push';

/**
 * Loads the library that encrypts messages for browsers. It is loaded at its first use, because a start sends no message; a
 * message whose sending fails is sent again later.
 */
export async function loadWebPush(): Promise<typeof webPush> {
  return (await import('web-push')).default;
}
