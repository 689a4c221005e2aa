import { Button } from '../controls/Button';
import { useState } from 'react';
import { KmsRootError } from '../../lib/attestation/kmsRoot';
import {
  isPinned,
  type KmsPin,
  PinError,
  type PinKind,
  readPinKey,
  withPin,
} from '../../lib/secrets/kmsPins';
import { Notice } from '../feedback/Notice';
import type { ServerKms } from './kinds';
import { mismatchText } from './pinTexts';

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

/**
 * Trust on first use, only by a click: pins the keys the server shows, or warns if they differ from the pinned
 * ones.
 */
export function PinServerKeys({ kms, pins, onPin }: Props) {
  const [fault, setFault] = useState<string | null>(null);
  const keys: [PinKind, string | null][] = [
    ['env', kms.k256_pubkey],
    ['ca', kms.ca_pubkey],
  ];
  const known = keys.filter((pair): pair is [PinKind, string] => pair[1] !== null);
  const differing = known.filter(([kind, key]) => isPinned(pins, kind, key) === false).map(([kind]) => kind);
  if (known.length === 0) return null;
  const pin = () => {
    try {
      onPin(withServerKeys(pins, known, kms.slug));
    } catch (error) {
      if (!(error instanceof KmsRootError || error instanceof PinError)) throw error;
      setFault(error.message);
    }
  };
  const isMismatch = differing.length > 0;
  if (!isMismatch && known.every(([kind, key]) => isPinned(pins, kind, key)))
    return (
      <Notice tone="ok" title="These root keys are pinned.">
        KMS “{kms.slug}” has the root keys pinned in this browser.
      </Notice>
    );
  return (
    <Notice
      tone={isMismatch ? 'error' : 'neutral'}
      title={isMismatch ? 'This KMS has a root key you didn’t pin.' : 'These root keys aren’t pinned.'}
      action={
        <Button size="small" variant="outlined" onClick={pin}>
          Pin the root keys of “{kms.slug}”
        </Button>
      }
    >
      {fault !== null ? `Not pinned: ${fault} ` : ''}
      {isMismatch
        ? mismatchText(differing)
        : 'Pinning now trusts the keys this server shows. To be sure, compare them first with those the operator gives you over another channel.'}
    </Notice>
  );
}
