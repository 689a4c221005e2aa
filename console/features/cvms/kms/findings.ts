import type { CvmEvidence } from '../../../../generated/api/types.gen';
import type { Report } from '../../../lib/attestation/types';
import type { EnvKey } from './useEnvKey';
import type { Finding } from './KmsView';

/** What the guest measured as the source of its keys, against the KMS on record. */
export function providerFinding(answer: CvmEvidence, report: Report): Finding {
  const provider = report.facts.key_provider;
  if (!provider)
    return {
      tone: 'neutral',
      glyph: 'question',
      word: 'Not known',
      text:
        answer.error ?? 'The event log does not say who gave the CVM its keys, or does not fit its quote.',
    };
  const pinned = answer.kms?.ca_pubkey ?? null;
  const same = pinned !== null && provider.id === pinned.toLowerCase();
  const simulated = report.state === 'simulated';
  if (provider.name !== 'kms')
    return {
      tone: 'attention',
      glyph: 'warning',
      word: `Keys from “${provider.name}”`,
      text: 'The guest did not get its keys from a KMS.',
    };
  if (pinned === null)
    return {
      tone: 'attention',
      glyph: 'warning',
      word: 'Keys from a KMS that is not pinned',
      text: `The event log names the KMS with root key ${provider.id}; none is on record to compare it with.`,
    };
  if (!same)
    return {
      tone: 'error',
      glyph: 'cross',
      word: 'Keys from another KMS',
      text: `The event log names the KMS with root key ${provider.id}, which is not the pinned one.`,
    };
  if (simulated)
    return {
      tone: 'simulated',
      glyph: 'hatch',
      word: 'Keys from this KMS, simulated',
      text: 'The event log names the pinned root key. No hardware measured it.',
    };
  const proved = report.state === 'verified' || report.state === 'verified with exceptions';
  return proved
    ? {
        tone: 'ok',
        glyph: 'check',
        word: 'Keys from this KMS',
        text: 'The measured event log names the pinned root key.',
      }
    : {
        tone: 'neutral',
        glyph: 'question',
        word: 'Says: keys from this KMS',
        text: `The event log names the pinned root key, but the evidence it stands in is ${report.state}.`,
      };
}

/** The key secrets are sealed to: signed by the pinned root, and still the one that was used. */
export function envKeyFinding(key: EnvKey, sealed_to: string | null): Finding {
  if (!key.verdict.good)
    return { tone: 'error', glyph: 'cross', word: 'Signature not good', text: key.verdict.why };
  if (sealed_to !== null && sealed_to.toLowerCase() !== key.public_key)
    return {
      tone: 'error',
      glyph: 'cross',
      word: 'Another key than secrets were sealed to',
      text: `They were sealed to ${sealed_to}. The guest cannot open them with the key of this KMS.`,
    };
  return {
    tone: 'ok',
    glyph: 'check',
    word: 'Signed by the pinned root key',
    text: 'Checked in this browser. Secrets are sealed to no key without this check.',
  };
}
