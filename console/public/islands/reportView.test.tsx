import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../lib/attestation/defaultPolicy';
import { verifyEvidence } from '../../lib/attestation/verify';
import { createMockPki } from '../../lib/attestation/testing/mockPki';
import { mockEvidence } from '../../lib/attestation/testing/mockEvidence';
import type { Report } from '../../lib/attestation/types';
import { ReportView } from './ReportView';

async function reportOf(image: string): Promise<Report> {
  const pki = await createMockPki(1_800_000_000);
  const { event_log, app_compose } = await mockEvidence(pki);
  const evidence = { event_log, app_compose: app_compose?.replace('nginx', image), simulated: true };
  return verifyEvidence(evidence, { now: 1_800_000_000, policy: DEFAULT_POLICY });
}

const drawn = (report: Report, isPast = false): string =>
  renderToStaticMarkup(
    <ReportView report={report} gaps={[]} isPast={isPast}>
      Now.
    </ReportView>,
  );
const shown = async (image: string): Promise<string> => drawn(await reportOf(image));

it('shows tampered evidence of a simulated host as not verified, with “simulated” beside it', async () => {
  const html = await shown('busybox');
  expect(html).toMatch(/data-tone="error"[^>]*><strong>Not verified<\/strong><span[^>]*>Simulated<\/span>/);
  expect(html).toMatch(/data-look="error">Failed</);
  const untouched = await shown('nginx');
  expect(untouched).toMatch(/data-tone="simulated"[^>]*><strong>Simulated<\/strong><p>/);
});

it('is green only for a guest that responds', async () => {
  const verified: Report = { ...(await reportOf('nginx')), state: 'verified', simulated: false };
  expect(drawn(verified)).toMatch(/data-tone="ok"[^>]*><strong>Verified<\/strong>/);
  const past = drawn(verified, true);
  expect(past).toMatch(/data-tone="neutral"[^>]*><strong>Verified earlier<\/strong>/);
  expect(past).not.toContain('data-tone="ok"');
  const failed: Report = { ...verified, state: 'not verified' };
  expect(drawn(failed, true)).toMatch(/data-tone="error"[^>]*><strong>Not verified<\/strong>/);
});
