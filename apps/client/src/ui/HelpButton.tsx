import { useState } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import { Icon } from './Icon.tsx';
import { Overlay } from './Overlay.tsx';

/** A "?" beside a label opens its explanation. */
export function HelpButton({ title, text }: { title: string; text: string }) {
  const { t } = usePreferences();
  const [near, setNear] = useState<DOMRect | null>(null);
  return (
    <>
      <button
        type="button"
        className="field-tool"
        aria-label={t('app.help', { name: title })}
        aria-haspopup="dialog"
        onClick={(event) => setNear(event.currentTarget.getBoundingClientRect())}
      >
        <Icon name="help" size={17} />
      </button>
      {near && (
        <Overlay kind="popover" near={near} title={title} onClose={() => setNear(null)}>
          <p className="overlay-text">{text}</p>
        </Overlay>
      )}
    </>
  );
}
