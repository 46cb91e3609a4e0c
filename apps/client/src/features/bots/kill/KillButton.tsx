import type { BotDetail } from '@heron/contract/bots/entities.ts';
import { useState } from 'react';
import { useReader } from '../../../lib/reader.ts';
import { Button } from '../../../ui/Button.tsx';
import { KillSheet } from './KillSheet.tsx';

/** The kill switch on the page of a live bot. @param pair the pair on screen */
export function KillButton({ bot, pair }: { bot: BotDetail; pair: string | undefined }) {
  const { t } = useReader();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" icon="halt" onClick={() => setOpen(true)}>
        {t('kill.title')}
      </Button>
      {open && <KillSheet of={{ bot, pair }} onClose={() => setOpen(false)} />}
    </>
  );
}
