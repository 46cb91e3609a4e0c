import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

/** The call that ends a bot: at once, once it is flat, or by closing its positions. */
export type Ending = 'stop' | 'drain' | 'close';

interface StopDialogProps {
  readonly bot: BotDetail;
  readonly onEnd: (how: Ending) => void;
  readonly onClose: () => void;
}

/** Lets the user stop a bot at once or, with open positions, after they are closed by their exits or at market. */
export function StopDialog({ bot, onEnd, onClose }: StopDialogProps) {
  const { t } = usePreferences();
  const mayDrain = bot.openPairs > 0 && !bot.draining;
  const mayClose = bot.openPairs > 0 && !bot.closing;
  const end = (how: Ending) => () => {
    onClose();
    onEnd(how);
  };
  return (
    <Overlay alert title={t('bot.stopTitle', { name: bot.name })} onClose={onClose}>
      <p className="overlay-text">{t('bot.stopText')}</p>
      {mayDrain && <p className="overlay-text">{t('bot.drainText')}</p>}
      {mayClose && <p className="overlay-text">{t('bot.closeText')}</p>}
      <div className="overlay-actions">
        <Button autoFocus onClick={onClose}>
          {t('app.cancel')}
        </Button>
        {mayDrain && <Button onClick={end('drain')}>{t('bot.drain')}</Button>}
        {mayClose && (
          <Button kind="danger" onClick={end('close')}>
            {t('bot.close')}
          </Button>
        )}
        <Button kind="danger" onClick={end('stop')}>
          {t('bot.stop')}
        </Button>
      </div>
    </Overlay>
  );
}
