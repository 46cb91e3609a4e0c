import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { optionTexts } from '@heron/contract/locales/optionTexts.ts';
import type { DescribedWarning } from '@heron/contract/locales/optionWarningText.ts';
import { paramTitle } from '@heron/contract/locales/strategyTexts.ts';
import { environmentOf } from '@heron/engine/options/venues.ts';
import { useState } from 'react';
import { MarketBadges } from '../../../entities/bot/badges.tsx';
import { label } from '../../../entities/bot/labels.ts';
import type { Difference } from '../../../entities/bot/setup/differences.ts';
import { OptionWarnings } from '../../../entities/bot/setup/OptionWarnings.tsx';
import { optionText, paramText } from '../../../entities/bot/setup/valueLabels.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { ActButton } from '../../../ui/ActButton.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TickField } from '../../../ui/fields/TickField.tsx';
import { Overlay } from '../../../ui/Overlay.tsx';

interface ChangeReviewProps {
  readonly bot: BotDetail;
  readonly found: readonly Difference[];
  readonly warnings: readonly DescribedWarning[];
  readonly busy: boolean;
  /** @param resets also resets the paper account */
  readonly onConfirm: (resets: boolean) => void;
  readonly onClose: () => void;
}

/** Lists every change with its previous value and the time when it takes effect, before it is sent. */
export function ChangeReview({ bot, found, warnings, busy, onConfirm, onClose }: ChangeReviewProps) {
  const preferences = usePreferences();
  const { t, language } = preferences;
  const [resets, setResets] = useState(false);
  const flat = bot.pairViews.every(({ position, orders }) => position === null && orders.length === 0);
  const mayReset = bot.mode === 'paper' && flat && found.some(({ acts }) => acts === 'paper_reset');
  return (
    <Overlay kind="sheet" title={t('edit.reviewTitle', { name: bot.name })} onClose={onClose}>
      <MarketBadges venue={bot.venue} mode={bot.mode} />
      {bot.mode === 'live' && (
        <p className="overlay-text edit-live">
          {t(environmentOf(bot.venue) === 'real' ? 'edit.liveReal' : 'edit.livePlay')}
        </p>
      )}
      <ul className="change-list" data-testid="changes">
        {found.map((difference) => {
          const { from, to, acts } = difference;
          const row = 'item' in difference ? difference.item : difference.param;
          const title = 'item' in difference ? optionTexts(row.name).title : paramTitle(difference.param);
          const locale = (value: unknown) =>
            'item' in difference
              ? optionText(difference.item, value, preferences)
              : paramText(difference.param, value, preferences);
          return (
            <li className="change-row" key={`${'item' in difference ? 'option' : 'param'} ${row.name}`}>
              <p>
                <strong>{title[language]}</strong>{' '}
                <span className="num">
                  {from === undefined ? locale(to) : t('edit.fromTo', { from: locale(from), to: locale(to) })}
                </span>
              </p>
              <p className="change-acts">{label('applies', acts, preferences)}</p>
            </li>
          );
        })}
      </ul>
      {mayReset && <TickField label={t('reset.also')} checked={resets} onChange={setResets} />}
      <OptionWarnings warnings={warnings} />
      <div className="overlay-actions">
        <Button onClick={onClose}>{t('edit.goOn')}</Button>
        <ActButton kind="primary" icon="tick" busy={busy} onClick={() => onConfirm(mayReset && resets)}>
          {t(bot.mode === 'live' ? 'edit.confirmLive' : 'edit.confirm')}
        </ActButton>
      </div>
    </Overlay>
  );
}
