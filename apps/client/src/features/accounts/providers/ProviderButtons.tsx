import type { Provider } from '@heron/contract/accounts/identityMethods.ts';
import { useMutation } from '@tanstack/react-query';
import { usePreferences } from '../../../lib/preferences.ts';
import { Button } from '../../../ui/Button.tsx';
import { explain } from '../../../ui/explain.ts';
import { goToProvider } from './providerVisit.ts';

interface ProviderButtonsProps {
  readonly providers: readonly Provider[];
  readonly remember: boolean;
  /** Returns whether consent is given, and shows an error when it is missing. */
  readonly mayLogIn: () => boolean;
}

/** Signs in through a provider. */
export function ProviderButtons({ providers, remember, mayLogIn }: ProviderButtonsProps) {
  const { t } = usePreferences();
  const redirect = useMutation({
    mutationFn: (provider: Provider) =>
      goToProvider(provider, { what: 'login', next: `/user-login/${location.search}`, remember }),
  });
  return (
    <>
      {providers.map((provider) => (
        <Button
          key={provider}
          className="wide"
          disabled={redirect.isPending}
          onClick={() => mayLogIn() && redirect.mutate(provider)}
        >
          {t(`provider.${provider}`)}
        </Button>
      ))}
      {redirect.error && (
        <p className="callout callout-problem" role="alert">
          {explain(redirect.error, t)}
        </p>
      )}
    </>
  );
}
