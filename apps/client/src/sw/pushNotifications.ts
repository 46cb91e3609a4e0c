import type { FromWorker } from './messages.ts';

/** The visible part of a push notification. */
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
/** The list of all of it. */
const LIST = '/notify-index/';

/** @param text as the platform has pushed it; browsers want something shown in any case */
export function shownOf(text: string): Shown {
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
    // An object of whatever fields.
    if (typeof given === 'object' && given !== null) return given as Record<string, unknown>;
  } catch {}
  return {};
}

/** Whether it is a page of this app, and of no other place. */
export function isOfApp(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}

/** A window of the app. */
interface AppWindow {
  readonly visibilityState: string;
  postMessage(message: FromWorker): void;
  focus(): Promise<unknown>;
}

/** The part of the worker's `clients` that is used. */
export interface AppWindows {
  matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly AppWindow[]>;
  openWindow(path: string): Promise<unknown>;
}

/** Shows a page of the app in the window that is there, which goes on with what it has, or in a new one. */
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
