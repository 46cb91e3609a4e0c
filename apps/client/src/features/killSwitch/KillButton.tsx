import { useState } from 'react';
import type { KillButtonProps } from '../../entities/bot/slots.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { KillSheet } from './KillSheet.tsx';

/** Opens the sheet of the kill switch. */
export function KillButton({ of, isOffered = true }: KillButtonProps) {
  const { t } = usePreferences();
  const [open, setOpen] = useState(false);
  if (!isOffered && !open) return null;
  return (
    <>
      <Button kind="danger" icon="halt" onClick={() => setOpen(true)}>
        {t('kill.title')}
      </Button>
      {open && <KillSheet of={of} onClose={() => setOpen(false)} />}
    </>
  );
}
