import { Button } from '../controls/Button';
import { useState } from 'react';
import { KmsRootError } from '../../lib/attestation/kmsRoot';
import { type KmsPin, PinError, type PinKind, readPinKey, withPin } from '../../lib/secrets/kmsPins';
import { Notice } from '../feedback/Notice';
import type { Tone } from '../feedback/status';
import type { ServerKms } from './kinds';
import { mismatchText, STATE_TEXTS } from './pinTexts';
import { compareServerKeys, type ServerKeys } from './serverKeys';

interface Props {
  kms: ServerKms;
  pins: readonly KmsPin[];
  onPin: (pins: readonly KmsPin[]) => void;
}

/** @throws {KmsRootError | PinError} */
function withServerKeys(
  pins: readonly KmsPin[],
  keys: readonly [PinKind, string][],
  label: string,
): readonly KmsPin[] {
  const pinned_at = new Date().toISOString();
  return keys.reduce(
    (all, [kind, key]) => withPin(all, { kind, key: readPinKey(kind, key), label, pinned_at }),
    pins,
  );
}

const LOOKS: Record<Exclude<ServerKeys['state'], 'pinned'>, { tone: Tone; title: string }> = {
  differing: { tone: 'error', title: 'This KMS has a root key you didn’t pin.' },
  replacing: { tone: 'attention', title: 'The operator is replacing the root key you pinned.' },
  announced: { tone: 'neutral', title: 'The operator is about to replace a root key.' },
  unpinned: { tone: 'neutral', title: 'These root keys aren’t pinned.' },
};

/**
 * Trust on first use, only by a click: pins the keys the server shows, or warns if they differ from the pinned
 * ones.
 */
export function PinServerKeys({ kms, pins, onPin }: Props) {
  const [fault, setFault] = useState<string | null>(null);
  const compared = compareServerKeys(kms, pins);
  if (!compared) return null;
  const { keys, state, differing } = compared;
  const pin = () => {
    try {
      onPin(withServerKeys(pins, keys, kms.slug));
    } catch (error) {
      if (!(error instanceof KmsRootError || error instanceof PinError)) throw error;
      setFault(error.message);
    }
  };
  if (state === 'pinned')
    return (
      <Notice tone="ok" title="These root keys are pinned.">
        KMS “{kms.slug}” has the root keys pinned in this browser.
      </Notice>
    );
  const { tone, title } = LOOKS[state];
  return (
    <Notice
      tone={tone}
      title={title}
      action={
        <Button size="small" variant="outlined" onClick={pin}>
          Pin the root keys of “{kms.slug}”
        </Button>
      }
    >
      {fault !== null ? `Not pinned: ${fault} ` : ''}
      {state === 'differing' ? mismatchText(differing) : STATE_TEXTS[state]}
    </Notice>
  );
}
