import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../lib/attestation/defaultPolicy';
import { verifyEvidence } from '../../lib/attestation/verify';
import { createMockPki } from '../../lib/attestation/testing/mockPki';
import { mockEvidence } from '../../lib/attestation/testing/mockEvidence';
import { ReportView } from './ReportView';

async function shown(image: string): Promise<string> {
  const pki = await createMockPki(1_800_000_000);
  const { event_log, app_compose } = await mockEvidence(pki);
  const evidence = { event_log, app_compose: app_compose?.replace('nginx', image), simulated: true };
  const report = await verifyEvidence(evidence, { now: 1_800_000_000, policy: DEFAULT_POLICY });
  return renderToStaticMarkup(
    <ReportView report={report} gaps={[]}>
      Now.
    </ReportView>,
  );
}

it('calls changed evidence of a simulated host not verified, and simulated beside it', async () => {
  const html = await shown('busybox');
  expect(html).toMatch(/data-tone="error"[^>]*><strong>Not verified<\/strong><span[^>]*>Simulated<\/span>/);
  expect(html).toMatch(/data-look="error">Failed</);
  const untouched = await shown('nginx');
  expect(untouched).toMatch(/data-tone="simulated"[^>]*><strong>Simulated<\/strong><p>/);
});
