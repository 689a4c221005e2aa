import type { KmsPin, PinKind } from '../../lib/secrets/kmsPins';

// Each kind protects something else: secrets are encrypted for keys signed by an environment root, and evidence
// names a certificate root. A pin of one kind says nothing about the other.

/** Returns the consequence of a KMS's unpinned root keys. @param kinds at least one, with other keys of it pinned */
export function mismatchText(kinds: readonly PinKind[]): string {
  const isEvidence = kinds.includes('ca');
  const effect = kinds.includes('env')
    ? `Secrets for this KMS won’t be encrypted in this browser${isEvidence ? ', and evidence of CVMs with its keys won’t pass' : ''}.`
    : 'Evidence of CVMs with this KMS’s keys won’t pass in this browser, but secrets are still encrypted for it.';
  return `${effect} Ask the operator for its root keys over another channel before you pin them.`;
}

// Anyone who controls the server can announce a key, so an announced one is pinned by the user or not at all.

/** The consequence of root keys that aren't all pinned, though none of a kind differs from its pins. */
export const STATE_TEXTS = {
  unpinned:
    'If you pin these keys now, you trust this server to show the right ones. To be sure, first compare them with the keys the operator gives you over another channel.',
  announced:
    'Two root keys are valid until the replacement is complete, and you pinned the one in use. Before the KMS switches to the other key, compare that key with the one the operator gives you over another channel, then pin it.',
  replacing:
    'The key you pinned is still valid, but the KMS now signs with a different key. Secrets for this KMS won’t be encrypted in this browser until you pin that key too. First compare it with the key the operator gives you over another channel.',
} as const;

const NONE_LEFT: Readonly<Record<PinKind, string>> = {
  env: 'With no environment root pinned, secrets are encrypted for any KMS whose root key the server has on record.',
  ca: 'With no certificate root pinned, evidence is compared with the root key the server has on record.',
};

/** Returns the consequence of removing a pin. @param left the other pins */
export const removalText = ({ kind }: Pick<KmsPin, 'kind'>, left: readonly Pick<KmsPin, 'kind'>[]): string =>
  left.some((pin) => pin.kind === kind)
    ? 'This browser no longer accepts a KMS with this root key.'
    : NONE_LEFT[kind];
