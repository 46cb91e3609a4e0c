import { type ComponentType, useEffect, useState } from 'react';
import { type OverlayRequest, provideOverlays } from '../lib/overlays.ts';
import { usePreferences } from '../lib/preferences.ts';
import { toast } from '../ui/toasts.tsx';
import type { ScreenOverlayProps } from './ScreenOverlay.tsx';

let next = 1;

/** Shows screens over the current screen, the last one on top. Their component is loaded with the first overlay. */
export function AppOverlays() {
  const { t } = usePreferences();
  const [Shown, setShown] = useState<ComponentType<ScreenOverlayProps> | null>(null);
  const [open, setOpen] = useState<readonly { readonly id: number; readonly request: OverlayRequest }[]>([]);

  useEffect(() => {
    provideOverlays((request) => {
      import('./ScreenOverlay.tsx').then(
        ({ ScreenOverlay }) => {
          setShown(() => ScreenOverlay);
          setOpen((now) => [...now, { id: next++, request }]);
        },
        () => toast(t('error.network'), 'problem'),
      );
    });
  }, [t]);

  if (Shown === null) return null;
  return open.map(({ id, request }) => (
    <Shown key={id} request={request} onClose={() => setOpen((now) => now.filter((one) => one.id !== id))} />
  ));
}
