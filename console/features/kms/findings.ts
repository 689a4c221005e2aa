import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { Report } from '../../lib/attestation/types';
import type { EnvKey } from './useEnvKey';
import type { Finding } from './KmsView';

/** Compares the measured key source with the KMS on record. */
export function providerFinding(answer: CvmEvidence, report: Report): Finding {
  const provider = report.facts.key_provider;
  if (!provider)
    return {
      tone: 'neutral',
      glyph: 'question',
      word: 'Unknown',
      text: answer.error ?? 'The event log doesn’t name the CVM’s key provider or doesn’t match the quote.',
    };
  const pinned = answer.kms?.ca_pubkey ?? null;
  const same = pinned !== null && provider.id === pinned.toLowerCase();
  const simulated = report.state === 'simulated';
  if (report.checks.some(({ id, state }) => id === 'kms.root' && state === 'failed'))
    return {
      tone: 'error',
      glyph: 'cross',
      word: 'Keys from a KMS you didn’t pin',
      text: `The event log names key provider “${provider.name}” ${provider.id || 'without an ID'}, which isn’t pinned in this browser.`,
    };
  if (provider.name !== 'kms')
    return {
      tone: 'attention',
      glyph: 'warning',
      word: `Keys from “${provider.name}”`,
      text: 'The guest’s keys didn’t come from a KMS.',
    };
  if (pinned === null)
    return {
      tone: 'attention',
      glyph: 'warning',
      word: 'Keys from a KMS without a root key on record',
      text: `The event log names a KMS with root key ${provider.id}, but no root key is on record.`,
    };
  if (!same)
    return {
      tone: 'error',
      glyph: 'cross',
      word: 'Keys from another KMS',
      text: `The event log names a KMS with root key ${provider.id}, which isn’t the one on record.`,
    };
  if (simulated)
    return {
      tone: 'simulated',
      glyph: 'hatch',
      word: 'Keys from this KMS (simulated)',
      text: 'The event log names the root key on record. No hardware measured it.',
    };
  const proved = report.state === 'verified' || report.state === 'verified with exceptions';
  return proved
    ? {
        tone: 'ok',
        glyph: 'check',
        word: 'Keys from this KMS',
        text: 'The measured event log names the root key on record.',
      }
    : {
        tone: 'neutral',
        glyph: 'question',
        word: 'Keys from this KMS (unverified)',
        text: `The event log names the root key on record, but the evidence is ${report.state}${report.simulated ? ' and simulated' : ''}.`,
      };
}

/** Checks that the environment key is signed by the KMS root key and is still the one secrets were sealed to. */
export function envKeyFinding(key: EnvKey, sealed_to: string | null): Finding {
  if (!key.verdict.good && key.verdict.replacing)
    return {
      tone: 'attention',
      glyph: 'warning',
      word: 'Root key is being replaced',
      text: `${key.verdict.why} The operator announced two valid root keys, and you pinned only the other one. Secrets aren’t encrypted in this browser until you pin this one too.`,
    };
  if (!key.verdict.good)
    return { tone: 'error', glyph: 'cross', word: 'Invalid signature', text: key.verdict.why };
  if (sealed_to !== null && sealed_to.toLowerCase() !== key.public_key)
    return {
      tone: 'error',
      glyph: 'cross',
      word: 'Environment key changed',
      text: `Secrets were sealed to ${sealed_to}. The guest can’t open them with this KMS’s key.`,
    };
  return {
    tone: 'ok',
    glyph: 'check',
    word: key.verdict.pinned ? 'Signed by a root key you pinned' : 'Signed by the root key on record',
    text: 'Checked in this browser before any secret is encrypted.',
  };
}
