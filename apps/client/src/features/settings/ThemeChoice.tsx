import type { Choices } from '../../lib/look.ts';
import { DEVICE, orDevice } from '../../lib/orDevice.ts';
import { useReader } from '../../lib/reader.ts';
import { Choice } from '../../ui/fields.tsx';
import { useChoose } from './useChoose.ts';

/** Light, dark, or as the device has it. */
export function ThemeChoice() {
  const { t, choices } = useReader();
  const choose = useChoose();
  return (
    <Choice<NonNullable<Choices['theme']> | typeof DEVICE>
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
