import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { SecondFactors } from '../../../../generated/api/types.gen';
import { refreshSession } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { vaultOptions } from '../../../api/vaultCopies';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { PinsPanel } from '../../../ui/kmsPins/PinsPanel';
import { Loaded } from './Loaded';
import { hasFactor, type FactorChanged } from './factors';
import { PasskeysPanel } from './PasskeysPanel';
import { factorsOptions } from './queries';
import { RecoveryPanel } from './RecoveryPanel';
import { TotpPanel } from './TotpPanel';
import { VaultPanel } from './VaultPanel';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

const RecoveryCodesDialog = lazyWithRetry(() =>
  import('./RecoveryCodesDialog').then((m) => ({ default: m.RecoveryCodesDialog })),
);

export function SecuritySection() {
  const factors = useQuery(factorsOptions());
  const vault = useQuery(vaultOptions());
  const stale = useStale();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed: FactorChanged = async (made) => {
    if (made) setCodes(made);
    await stale('getSecondFactors', 'listMembers');
    // The session says whether the user has a second factor; teams may require one.
    await refreshSession(queryClient);
  };
  // Shown together, so that no panel moves when another one's data arrives.
  if (factors.isPending || vault.isPending) return <RowsSkeleton rows={8} />;
  return (
    <>
      <Loaded query={factors} what="your second factors">
        {(data) => (
          <>
            <FactorNotice factors={data} />
            <TotpPanel totp={data.totp} onChanged={changed} />
            <PasskeysPanel passkeys={data.passkeys} onChanged={changed} />
            <RecoveryPanel factors={data} onChanged={changed} />
          </>
        )}
      </Loaded>
      <VaultPanel query={vault} />
      <PinsPanel />
      {codes && (
        <Suspense fallback={null}>
          <RecoveryCodesDialog codes={codes} onKept={() => setCodes(null)} />
        </Suspense>
      )}
    </>
  );
}

function FactorNotice({ factors }: { factors: SecondFactors }) {
  if (!hasFactor(factors))
    return (
      <Notice tone="attention" title="Only a password protects this account.">
        Add a passkey or an authenticator app so that a stolen password isn’t enough to sign in.
      </Notice>
    );
  if (factors.recovery_codes_left === 0)
    return (
      <Notice tone="attention" title="No recovery codes left.">
        Generate new codes. Without them, losing your device means losing your account.
      </Notice>
    );
  return (
    <Notice tone="ok" title="A second factor protects this account.">
      It’s required when you sign in and before sensitive actions.
    </Notice>
  );
}
