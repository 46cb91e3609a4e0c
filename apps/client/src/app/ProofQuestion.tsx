import { type ComponentType, useEffect, useState } from 'react';
import { loadAllTexts, usePreferences } from '../lib/preferences.ts';
import { provideProof } from '../lib/proof.ts';
import { toast } from '../ui/toasts.tsx';

type Sheet = ComponentType<{ onDone: (proven: boolean) => void }>;

async function proofSheet(): Promise<Sheet> {
  const [{ ProofSheet }] = await Promise.all([import('../features/accounts/ProofSheet.tsx'), loadAllTexts()]);
  return ProofSheet;
}

/** Shows the dialog for a fresh proof of identity to any screen. Loads the dialog when it is first needed. */
export function ProofQuestion() {
  const { t } = usePreferences();
  const [asking, setAsking] = useState<{ Sheet: Sheet; onDone: (proven: boolean) => void } | null>(null);

  useEffect(() => {
    provideProof(async () => {
      const Sheet = await proofSheet().catch(() => null);
      if (Sheet === null) toast(t('error.network'), 'problem');
      const isProven = Sheet !== null && (await new Promise<boolean>((onDone) => setAsking({ Sheet, onDone })));
      setAsking(null);
      return isProven;
    });
  }, [t]);

  return asking && <asking.Sheet onDone={asking.onDone} />;
}
