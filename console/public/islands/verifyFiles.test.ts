import { expect, it } from 'vitest';
import { evidenceBundle } from '../../lib/attestation/evidenceBundle';
import { policyFile } from '../../lib/attestation/policyFile';
import { mockEvidence, mockPolicy } from '../../lib/attestation/testing/mockEvidence';
import { createMockPki } from '../../lib/attestation/testing/mockPki';
import { verifyEvidence } from '../../lib/attestation/verify';
import { verifyFiles } from './verifyFiles';

const saved = (name: string, text: string) => new File([text], name);

it('reaches the same verdict as the app’s page, with the policy offered there', async () => {
  const { event_log, app_compose } = await mockEvidence(await createMockPki(1_800_000_000));
  const evidence = { event_log, app_compose, simulated: true };
  const policy = mockPolicy(evidence);
  const onPage = await verifyEvidence(evidence, { now: 0, policy });
  const file = saved('app.evidence.json', evidenceBundle(evidence));

  const same = await verifyFiles(file, saved('app.policy.json', policyFile(policy)));
  expect(same.policy_name).toBe('app.policy.json');
  expect(same.report.checks.map(({ id, state }) => [id, state])).toEqual(
    onPage.checks.map(({ id, state }) => [id, state]),
  );

  const other = await verifyFiles(
    file,
    saved('other.json', policyFile({ ...policy, compose_hash: '0'.repeat(64) })),
  );
  expect(other.report.state).toBe('not verified');
  expect((await verifyFiles(file, undefined)).policy_name).toBeNull();
});

it('keeps the verdict on valid evidence if the policy is unusable, and gives the reason with the file name', async () => {
  const { event_log, app_compose } = await mockEvidence(await createMockPki(1_800_000_000));
  const file = saved('app.evidence.json', evidenceBundle({ event_log, app_compose, simulated: true }));
  const alone = await verifyFiles(file, undefined);
  expect(alone.policy_fault).toBeNull();
  for (const [policy, fault] of [
    [saved('notes.txt', 'no policy'), /^notes\.txt: The policy/],
    [saved('empty.json', '{}'), /^empty\.json: It is empty/],
    [saved('wide.json', '{"scope":"app"}'), /^wide\.json: It is empty/],
    [saved('number.json', '{"app_id":5}'), /^number\.json: “app_id” must be a string\./],
    [file, /^app\.evidence\.json: This is an evidence file/],
  ] as const) {
    const { report, policy_name, policy_fault } = await verifyFiles(file, policy);
    expect(policy_fault).toMatch(fault);
    expect(policy_name).toBeNull();
    expect(report.state).toBe(alone.report.state);
  }
});

it('names the file if the evidence can’t be read', async () => {
  await expect(verifyFiles(saved('broken.json', '{'), undefined)).rejects.toThrow(/^broken\.json: /);
});
