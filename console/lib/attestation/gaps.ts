import { GPU_UNCHECKED } from './gpu/gpuUnchecked';
import type { Evidence, Report } from './types';

export interface Gap {
  what: string;
  why: string;
}

const EXPECTED: Gap = {
  what: 'Expected values',
  why: 'The app ID, compose hash, instance, machine and OS images compared here come from this server’s records, as does the KMS root key unless you pinned one. For values of your own, verify the downloaded evidence with your own policy.',
};

/**
 * Returns what the report doesn't cover, whatever its verdict.
 * @param expected_by the source of the policy's values
 */
export function gapsOf(
  answer: { evidence: Pick<Evidence, 'simulated'> | null },
  report: Report,
  { expected_by }: { expected_by: 'server' | 'caller' } = { expected_by: 'caller' },
): Gap[] {
  const gaps: Gap[] = report.checks
    .filter(({ state, required }) => state === 'skipped' && !required)
    .map(({ title, detail }) => ({ what: title, why: detail }));
  if (answer.evidence?.simulated) return gaps;
  const gpu = report.facts.gpu_named_by;
  const bound = report.checks.some(({ id, state }) => id === 'report_data' && state === 'passed');
  return [
    ...gaps,
    ...(gpu
      ? [
          {
            what: 'The GPU',
            why: `Signs of a GPU: ${gpu.join('; ')}. Not checked: ${(report.facts.gpu_unchecked ?? GPU_UNCHECKED).join('; ')}.`,
          },
        ]
      : []),
    ...(expected_by === 'server' ? [EXPECTED] : []),
    {
      what: 'The connection to the CVM',
      why: bound
        ? 'The quote is bound to the first certificate in the evidence. When you connect, compare its fingerprint or verify it as RA-TLS.'
        : 'The quote isn’t bound to a certificate, so it doesn’t identify what responds at the app’s address.',
    },
    {
      what: 'Freshness',
      why: 'The guest created this quote with its certificate. Only an app that answers your challenge with a new quote proves that it is running now.',
    },
    {
      what: 'Compose file behavior',
      why: 'The Compose file is the measured one, but what it does isn’t checked. Images referenced by tag can change.',
    },
    {
      what: 'Secrets',
      why: 'The encrypted environment isn’t measured. The host can replace it with another one sealed to the same key.',
    },
    {
      what: 'The key management service',
      why: 'Its root key is compared with the one you pinned, or else with the one on record. Whether the KMS itself runs in a TEE isn’t checked.',
    },
  ];
}
