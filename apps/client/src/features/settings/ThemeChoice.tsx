import type { DisplayChoices } from '../../lib/display.ts';
import { DEVICE, orDevice } from '../../lib/orDevice.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Choice } from '../../ui/fields/Choice.tsx';
import { useChoose } from './useChoose.ts';

/** Selects the light theme, the dark theme or the theme of the device. */
export function ThemeChoice() {
  const { t, choices } = usePreferences();
  const choose = useChoose();
  return (
    <Choice<NonNullable<DisplayChoices['theme']> | typeof DEVICE>
      label={t('settings.theme')}
      value={choices.theme ?? DEVICE}
      choices={[
        { value: DEVICE, title: t('settings.device') },
        { value: 'light', title: t('settings.light') },
        { value: 'dark', title: t('settings.dark') },
      ]}
      onChange={(theme) => choose({ theme: orDevice(theme) })}
    />
  );
}
