import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { KillSheet } from './KillSheet.tsx';

/** The kill switch of all live bots at once. */
export function KillAllButton() {
  const { t } = useReader();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon="halt" onClick={() => setOpen(true)}>
        {t('kill.title')}
      </Button>
      {open && <KillSheet of={null} onClose={() => setOpen(false)} />}
    </>
  );
}
