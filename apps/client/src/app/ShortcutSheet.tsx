import { usePreferences } from '../lib/preferences.ts';
import { Overlay } from '../ui/Overlay.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** Lists every keyboard shortcut with its effect. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = usePreferences();
  const ids = [...new Set(SHORTCUTS.map(({ id }) => id))];
  return (
    <Overlay title={t('shortcut.title')} onClose={onClose}>
      <dl className="facts shortcuts">
        {ids.map((id) => {
          const those = SHORTCUTS.filter((one) => one.id === id).map(({ keys }) => keys);
          const [first = [], last] = [those[0], those.length > 1 ? those.at(-1) : undefined];
          return (
            <div key={id}>
              <dt>{t(`shortcut.${id}`)}</dt>
              <dd>
                {first.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
                {last && (
                  <>
                    {' '}
                    –{' '}
                    {last.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="field-note">{t('shortcut.off')}</p>
    </Overlay>
  );
}
