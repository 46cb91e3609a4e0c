import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { type KillPlace, KillSheet } from './KillSheet.tsx';

/** The kill switch. @param isOffered whether there is anything to stop; a kill in progress stays on screen after that */
export function KillButton({ of, isOffered = true }: { of: KillPlace; isOffered?: boolean }) {
  const { t } = useReader();
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
