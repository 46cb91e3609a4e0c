import { faultText } from '@heron/contract/locales/optionFaultText.ts';
import { importSetup } from '@heron/engine/options/document.ts';
import { type FormEvent, useId, useState } from 'react';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';

/** Holds a parsed setup, and the names in it that this version does not know. */
export type ImportedSetup = Extract<ReturnType<typeof importSetup>, { ok: true }>;

interface ImportSheetProps {
  readonly onImport: (imported: ImportedSetup) => void;
  readonly onClose: () => void;
}

/** Imports a setup from a file or from pasted text. */
export function ImportSheet({ onImport, onClose }: ImportSheetProps) {
  const { t, language } = usePreferences();
  const id = useId();
  const [text, setText] = useState('');
  const [faults, setFaults] = useState<readonly string[]>([]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const read = importSetup(text);
    if (read.ok) onImport(read);
    else setFaults(read.faults.map((fault) => faultText(fault)[language]));
  }

  return (
    <Overlay kind="sheet" title={t('import.title')} onClose={onClose}>
      <form className="form" noValidate onSubmit={submit}>
        <p className="overlay-text">{t('import.text')}</p>
        <label className="btn btn-plain file-button">
          <span>{t('import.file')}</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              setFaults([]);
              void event.target.files?.[0]?.text().then(setText);
            }}
          />
        </label>
        <div className={`field ${faults.length > 0 ? 'field-wrong' : ''}`}>
          <label htmlFor={`${id}-text`}>{t('import.paste')}</label>
          <div className="input">
            <textarea
              className="import-text"
              id={`${id}-text`}
              rows={7}
              spellCheck={false}
              autoComplete="off"
              value={text}
              aria-invalid={faults.length > 0 ? true : undefined}
              aria-describedby={faults.length > 0 ? `${id}-faults` : undefined}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          {faults.length > 0 && (
            <div id={`${id}-faults`} role="alert">
              <ul className="field-note import-faults">
                {faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <div className="overlay-actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={text.trim() === ''}>
            {t('import.take')}
          </Button>
        </div>
      </form>
    </Overlay>
  );
}
