import type { CvmEvidence } from '../../../../generated/api/types.gen';
import type { Report } from '../../../lib/attestation/types';

export interface Gap {
  what: string;
  why: string;
}

/** What the report does not say, whatever its state: an honest tick names its limits. */
export function gapsOf(answer: CvmEvidence, report: Report): Gap[] {
  const gaps: Gap[] = report.checks
    .filter(({ state, required }) => state === 'skipped' && !required)
    .map(({ title, detail }) => ({ what: title, why: detail }));
  if (answer.evidence?.simulated) return gaps;
  const bound = report.checks.some(({ id, state }) => id === 'report_data' && state === 'passed');
  return [
    ...gaps,
    {
      what: 'That it is the CVM you are talking to',
      why: bound
        ? 'The quote belongs to the certificate shown here. When you connect, compare the certificate you get with its fingerprint, or verify it as RA-TLS.'
        : 'The quote is tied to no certificate, so it does not say who answers at the app’s address.',
    },
    {
      what: 'That it was made just now',
      why: 'The guest made this quote when it made its certificate. Only an app that answers a challenge of yours with a quote shows that it runs now.',
    },
    {
      what: 'What the compose file does',
      why: 'It is the measured one. Whether it does what you want is for whoever reads it to say; images named by tag may change under the same name.',
    },
    {
      what: 'Secrets',
      why: 'The encrypted environment is not measured: the host can replace the whole of it by another that was sealed to the same key.',
    },
    {
      what: 'The key management service',
      why: 'Its root key is compared with the pinned one. Whether that service itself runs in a TEE was not looked at here.',
    },
  ];
}
