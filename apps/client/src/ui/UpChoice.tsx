import type { UpColour } from '../lib/display.ts';
import { DEVICE, orDevice } from '../lib/orDevice.ts';
import { choose, usePreferences } from '../lib/preferences.ts';
import { Choice } from './fields/Choice.tsx';

/**
 * Sets the colour of rising prices, gains and buying in charts, figures and order buttons.
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
      // This choice loads no texts, so it cannot fail.
      onChange={(up) => void choose({ up: orDevice(up) })}
    />
  );
}
