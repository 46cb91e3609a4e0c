import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { type KillPlace, KillSheet } from './KillSheet.tsx';

/** The kill switch. */
export function KillButton({ of }: { of: KillPlace }) {
  const { t } = useReader();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon="halt" onClick={() => setOpen(true)}>
        {t('kill.title')}
      </Button>
      {open && <KillSheet of={of} onClose={() => setOpen(false)} />}
    </>
  );
}
