import type { FromWorker } from './messages.ts';

/** This is the visible part of a push notification. */
interface Shown {
  readonly title: string;
  readonly options: {
    readonly body: string;
    readonly icon: string;
    readonly tag?: string;
    readonly timestamp?: number;
    readonly data: FromWorker;
  };
}

const ICON = '/icon-192.png';
/** This path lists all notifications. */
const LIST = '/notify-index/';

/**
 * Builds the notification to show. Browsers require one for every push message. @param text as the platform has pushed
 * it
 */
export function notificationOf(text: string): Shown {
  const { title, body, tag, path, at } = read(text);
  return {
    title: typeof title === 'string' ? title : '苍鹭 Heron',
    options: {
      body: typeof body === 'string' ? body : '',
      icon: ICON,
      ...(typeof tag === 'string' && { tag }),
      ...(typeof at === 'number' && { timestamp: at }),
      data: { open: isOfApp(path) ? path : LIST },
    },
  };
}

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(text);
    // The object may have any fields.
    if (typeof given === 'object' && given !== null) return given as Record<string, unknown>;
  } catch {}
  return {};
}

/** Returns whether a path is a page of this app and not of another site. */
export function isOfApp(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}

/** A window of the app receives messages and can be focused. */
interface AppWindow {
  readonly visibilityState: string;
  postMessage(message: FromWorker): void;
  focus(): Promise<unknown>;
}

/** The app uses only this part of the worker's `clients`. */
export interface AppWindows {
  matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly AppWindow[]>;
  openWindow(path: string): Promise<unknown>;
}

/** Shows a page of the app in an open window, which keeps its state, or in a new window. */
export async function openInApp(windows: AppWindows, message: FromWorker): Promise<void> {
  const there = await windows.matchAll({ type: 'window', includeUncontrolled: true });
  const window = there.find(({ visibilityState }) => visibilityState === 'visible') ?? there[0];
  if (window === undefined) {
    await windows.openWindow(message.open);
    return;
  }
  window.postMessage(message);
  await window.focus();
}
