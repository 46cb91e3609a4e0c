import type { UpColour } from '../lib/display.ts';
import { DEVICE, orDevice } from '../lib/orDevice.ts';
import { choose, usePreferences } from '../lib/preferences.ts';
import { Choice } from './fields/Choice.tsx';

/**
 * Which colour rising prices, gains and buying have: in charts, figures and the buttons of an order alike.
 *
 * @see docs/display.md#colours
 */
export function UpChoice() {
  const { t, choices } = usePreferences();
  return (
    <Choice<UpColour | typeof DEVICE>
      label={t('settings.up')}
      value={choices.up ?? DEVICE}
      choices={[
        { value: DEVICE, title: t('settings.byLanguage') },
        { value: 'red', title: t('settings.upRed') },
        { value: 'green', title: t('settings.upGreen') },
      ]}
      // No other texts are needed for it.
      onChange={(up) => void choose({ up: orDevice(up) })}
    />
  );
}
