import { type ReactNode, useState } from 'react';
import { currentPlatform } from '../../lib/platform.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { TickField } from '../../ui/fields/TickField.tsx';
import { Link } from '../../ui/Link.tsx';

export interface Consent {
  /** Returns whether consent is given, and shows an error when it is missing. */
  isGiven(): boolean;
  /** This field is rendered; it is false where no consent is required. */
  readonly field: ReactNode;
}

/** Holds the consent to the privacy policy and the terms. Only Android requires it. */
export function useConsent(): Consent {
  const { t } = usePreferences();
  const asked = currentPlatform() === 'android';
  const [agreed, setAgreed] = useState(false);
  const [missing, setMissing] = useState(false);
  return {
    isGiven() {
      setMissing(asked && !agreed);
      return !asked || agreed;
    },
    field: asked && (
      <TickField
        label={t('privacy.consent')}
        checked={agreed}
        fault={missing && !agreed ? t('privacy.consentMissing') : null}
        onChange={setAgreed}
      />
    ),
  };
}

/** Links to the terms and the privacy policy. */
export function LegalLinks() {
  const { t } = usePreferences();
  return (
    <p className="account-legal">
      <Link href="/setting-terms/" over="popup">
        {t('legal.terms')}
      </Link>
      <span aria-hidden="true"> · </span>
      <Link href="/setting-privacy/" over="popup">
        {t('legal.privacy')}
      </Link>
    </p>
  );
}
