import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { Overlay } from '../../ui/Overlay.tsx';

interface StopDialogProps {
  readonly bot: BotDetail;
  readonly onStop: () => void;
  readonly onDrain: () => void;
  readonly onClose: () => void;
}

/** Lets the user stop a bot at once or, with open positions, after they are closed. */
export function StopDialog({ bot, onStop, onDrain, onClose }: StopDialogProps) {
  const { t } = usePreferences();
  const mayDrain = bot.openPairs > 0 && !bot.draining;
  const answer = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Overlay alert title={t('bot.stopTitle', { name: bot.name })} onClose={onClose}>
      <p className="overlay-text">{t('bot.stopText')}</p>
      {mayDrain && <p className="overlay-text">{t('bot.drainText')}</p>}
      <div className="overlay-actions">
        <Button autoFocus onClick={onClose}>
          {t('app.cancel')}
        </Button>
        {mayDrain && <Button onClick={answer(onDrain)}>{t('bot.drain')}</Button>}
        <Button kind="danger" onClick={answer(onStop)}>
          {t('bot.stop')}
        </Button>
      </div>
    </Overlay>
  );
}
