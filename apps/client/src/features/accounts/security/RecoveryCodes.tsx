import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** Shows recovery codes once, to copy or to save. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = usePreferences();
  const text = `${codes.join('\n')}\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast(t('factor.copied'));
    } catch {
      toast(t('factor.copyFailed'), 'problem');
    }
  }

  return (
    // Only its button closes it: a tap outside would lose codes that are never shown again.
    <Overlay alert title={t('factor.codesTitle')} onClose={() => {}}>
      <p className="overlay-text">{t('factor.codesText')}</p>
      <ol className="recovery-codes num" data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="overlay-actions">
        <Button onClick={() => void copy()}>{t('factor.copy')}</Button>
        <a
          className="btn"
          download="heron-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t('factor.save')}
        </a>
      </div>
      <div className="overlay-actions">
        <Button kind="primary" onClick={onClose}>
          {t('factor.kept')}
        </Button>
      </div>
    </Overlay>
  );
}
