import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { hostVault, type VaultQuestion } from '../../api/vault';
import type { VaultKeys } from '../../lib/vault';

const VaultDialog = lazy(() => import('./VaultDialog').then((m) => ({ default: m.VaultDialog })));

/** The page's one place that opens the vault: whoever needs it asks (`askVault`). */
export function VaultHost() {
  const [question, setQuestion] = useState<VaultQuestion | null>(null);
  const answer = useRef<(keys: VaultKeys | null) => void>(undefined);

  useEffect(
    () =>
      hostVault(
        (asked) =>
          new Promise((resolve) => {
            answer.current = resolve;
            setQuestion(asked);
          }),
      ),
    [],
  );

  if (question === null) return null;
  const done = (keys: VaultKeys | null) => {
    setQuestion(null);
    answer.current?.(keys);
  };
  return (
    <Suspense fallback={null}>
      <VaultDialog question={question} onDone={done} />
    </Suspense>
  );
}
