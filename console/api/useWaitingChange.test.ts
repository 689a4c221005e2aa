import { expect, it } from 'vitest';
import { replacedText, wouldReplace } from './useWaitingChange';

const cvm = { object_type: 'cvm' as const, id: 'cvm_1', name: 'web-1', app_id: null, vm_uuid: null };

it('finds the waiting change that a new one of the same kind replaces', () => {
  const waits = { kind: 'update' as const, cvm };
  expect(wouldReplace(waits, { kind: 'update', cvm_id: 'cvm_1' })).toBe(true);
  expect(wouldReplace(waits, { kind: 'update', cvm_id: 'cvm_2' })).toBe(false);
  expect(wouldReplace(waits, { kind: 'rollout', cvm_id: null })).toBe(false);
  expect(wouldReplace({ kind: 'rollout', cvm }, { kind: 'rollout', cvm_id: null })).toBe(true);
});

it('names the discarded change', () => {
  const revision = { revision_id: 'rev_2', revision_number: 2 };
  expect(replacedText({ kind: 'update', revision })).toMatch(
    /^This replaces the update to revision 2, which is waiting .* can then no longer be committed/,
  );
});
