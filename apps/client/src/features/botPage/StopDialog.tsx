import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

/** Stops at once, once the positions are closed by their exits, or after closing them now. */
type Ending = 'stop' | 'drain' | 'sell';

interface StopDialogProps {
  readonly bot: BotDetail;
  readonly onEnd: (how: Ending) => void;
  readonly onClose: () => void;
}

/** Lets the user stop a bot at once or, with open positions, after they are closed or by closing them. */
export function StopDialog({ bot, onEnd, onClose }: StopDialogProps) {
  const { t } = usePreferences();
  const holds = bot.openPairs > 0;
  const mayDrain = holds && !bot.draining;
  const end = (how: Ending) => () => {
    onClose();
    onEnd(how);
  };
  return (
    <Overlay alert title={t('bot.stopTitle', { name: bot.name })} onClose={onClose}>
      <p className="overlay-text">{t('bot.stopText')}</p>
      {mayDrain && <p className="overlay-text">{t('bot.drainText')}</p>}
      {holds && <p className="overlay-text">{t('bot.sellText')}</p>}
      <div className="overlay-actions">
        <Button autoFocus onClick={onClose}>
          {t('app.cancel')}
        </Button>
        {mayDrain && <Button onClick={end('drain')}>{t('bot.drain')}</Button>}
        {holds && (
          <Button kind="danger" onClick={end('sell')}>
            {t('bot.sellAndStop')}
          </Button>
        )}
        <Button kind="danger" onClick={end('stop')}>
          {t('bot.stop')}
        </Button>
      </div>
    </Overlay>
  );
}
