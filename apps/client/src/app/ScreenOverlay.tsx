import { type ComponentType, createElement, useEffect, useEffectEvent, useState } from 'react';
import { askBefore, go, pushLayer } from '../lib/navigation.ts';
import type { OverlayRequest } from '../lib/overlays.ts';
import { usePreferences } from '../lib/preferences.ts';
import { currentSession } from '../lib/session.ts';
import { Embed } from '../ui/embed.ts';
import { Icon } from '../ui/Icon.tsx';
import { Overlay } from '../ui/Overlay.tsx';
import { Skeleton } from '../ui/states.tsx';
import { admit, refusal } from './guards.ts';
import { hasScreen, loadScreen } from './screens.ts';

/** The sizes are in CSS pixels. */
const POPOVER = { width: 360, height: 480 };
const SHEET = { minHeight: 420, height: 480 };

/** No route has this path, so it shows the "not found" screen. */
const MISSING_PATH = '/missing/';

export interface ScreenOverlayProps {
  readonly request: OverlayRequest;
  readonly onClose: () => void;
}

type Loaded = { readonly url: string; readonly screen: ComponentType<object>; readonly params: object };

/**
 * Shows a screen of the app in an overlay. Screens that it opens stay in the overlay; Back returns through them and
 * then closes it.
 */
export function ScreenOverlay({ request, onClose }: ScreenOverlayProps) {
  const { t } = usePreferences();
  const [stack, setStack] = useState([request.url]);
  const [title, setTitle] = useState(t('app.loading'));
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const url = stack.at(-1) as string;

  useEffect(() => {
    let isWanted = true;
    void loadOverlayScreen(url).then((found) => isWanted && setLoaded(found));
    return () => {
      isWanted = false;
    };
  }, [url]);

  function close() {
    if (!askBefore(onClose)) onClose();
  }

  function back() {
    if (stack.length > 1) setStack(stack.slice(0, -1));
    else onClose();
  }

  const move = useEffectEvent((path: string, replaces: boolean) =>
    setStack([...(replaces ? stack.slice(0, -1) : stack), path]),
  );
  const moveBack = useEffectEvent(back);
  const closeOverlay = useEffectEvent(onClose);
  useEffect(() => {
    const removeLayer = pushLayer({
      go(path, how) {
        if (!how?.root) return move(path, how?.replace === true);
        removeLayer();
        closeOverlay();
        go(path, how);
      },
      back: () => moveBack(),
    });
    return removeLayer;
  }, []);

  const { near, fullscreen = false } = request;
  const size = fullscreen
    ? {}
    : request.kind === 'popover'
      ? { ...POPOVER, ...sizesOf(request) }
      : request.kind === 'sheet'
        ? { ...SHEET, ...sizesOf(request) }
        : sizesOf(request);
  return (
    <Overlay
      title={title}
      kind={request.kind}
      size={{ ...size, fullscreen }}
      {...(near === undefined ? {} : { near })}
      swipes={request.swipeToClose !== false}
      lead={
        stack.length > 1 && (
          <button type="button" className="back" aria-label={t('app.back')} onClick={() => askBefore(back) || back()}>
            <Icon name="back" size={22} />
          </button>
        )
      }
      onBack={() => askBefore(back) || back()}
      onClose={close}
    >
      {loaded?.url === url ? (
        <Embed value={setTitle}>{createElement(loaded.screen, { ...loaded.params, key: url })}</Embed>
      ) : (
        <Skeleton rows={3} height={72} />
      )}
    </Overlay>
  );
}

function sizesOf({ width, height }: OverlayRequest) {
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
}

/** Loads the screen of a path under the same guards as a page. */
async function loadOverlayScreen(url: string): Promise<Loaded> {
  const to = hasScreen(url) ? admit(url, currentSession()) : url;
  const isAllowed = refusal(to, currentSession()) === null;
  const { component, params } = await loadScreen(isAllowed ? to : MISSING_PATH);
  return { url, screen: component, params: { ...params, url: to } };
}
