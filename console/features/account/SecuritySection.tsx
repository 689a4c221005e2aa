import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { SecondFactors } from '../../../generated/api/types.gen';
import { refreshSession } from '../../api/session';
import { useStale } from '../../api/useStale';
import { Notice } from '../../ui/feedback/Notice';
import { Loaded } from './Loaded';
import { hasFactor, type FactorChanged } from './factors';
import { PasskeysPanel } from './PasskeysPanel';
import { factorsOptions } from './queries';
import { RecoveryPanel } from './RecoveryPanel';
import { TotpPanel } from './TotpPanel';
import { VaultPanel } from './VaultPanel';

const RecoveryCodesDialog = lazy(() =>
  import('./RecoveryCodesDialog').then((m) => ({ default: m.RecoveryCodesDialog })),
);

export function SecuritySection() {
  const factors = useQuery(factorsOptions());
  const stale = useStale();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed: FactorChanged = async (made) => {
    if (made) setCodes(made);
    await stale('getSecondFactors', 'listMembers');
    // The session says whether its person has a second factor, and teams may ask for one.
    await refreshSession(queryClient);
  };
  return (
    <>
      <Loaded query={factors} what="Your second factors" rows={6}>
        {(data) => (
          <>
            <Standing factors={data} />
            <TotpPanel totp={data.totp} onChanged={changed} />
            <PasskeysPanel passkeys={data.passkeys} onChanged={changed} />
            <RecoveryPanel factors={data} onChanged={changed} />
          </>
        )}
      </Loaded>
      <VaultPanel />
      {codes && (
        <Suspense fallback={null}>
          <RecoveryCodesDialog codes={codes} onKept={() => setCodes(null)} />
        </Suspense>
      )}
    </>
  );
}

function Standing({ factors }: { factors: SecondFactors }) {
  if (!hasFactor(factors))
    return (
      <Notice tone="attention" title="Only a password protects this account.">
        Add a passkey or an authenticator app: then a stolen password alone opens nothing.
      </Notice>
    );
  if (factors.recovery_codes_left === 0)
    return (
      <Notice tone="attention" title="No recovery codes are left.">
        Make new ones: without them, losing your device means losing your account.
      </Notice>
    );
  return (
    <Notice tone="ok" title="A second factor protects this account.">
      It is asked for when you sign in and before dangerous actions.
    </Notice>
  );
}
