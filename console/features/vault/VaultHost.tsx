import { Suspense, useEffect, useRef, useState } from 'react';
import { hostVault, type VaultQuestion } from '../../api/vault';
import type { VaultKeys } from '../../lib/secrets/vault';
import { lazyWithRetry } from '../../ui/lazyWithRetry';

const VaultDialog = lazyWithRetry(() => import('./VaultDialog').then((m) => ({ default: m.VaultDialog })));

/** The page's only vault dialog, opened with `askVault`. */
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
