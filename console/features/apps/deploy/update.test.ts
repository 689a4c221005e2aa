import { x25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import type { AppCompose, CvmPatch, KmsContract } from '../../../../generated/api/types.gen';
import { ApiError } from '../../../api/apiError';
import { bytesToHex } from '../../../lib/bytes';
import { buildAppCompose } from '../../../lib/compose/composeHash';
import { recoverEnvKeySigner, signEnvKey } from '../../../lib/secrets/kmsKey';
import { openEnv } from '../../../lib/secrets/seal';
import { newRow } from '../../../ui/forms/secrets';
import {
  composeAfter,
  formOf,
  hashIsOurs,
  rebase,
  rolloutRefusal,
  runUpdate,
  secretsChange,
  toPatch,
  type UpdateApi,
  updateEffect,
  withValues,
} from './update';

const built = buildAppCompose({
  name: 'my-app',
  docker_compose_file: 'services: {}\n',
  allowed_envs: ['A', 'B'],
});
const cvm = {
  id: 'cvm_1',
  app_id: 'ab'.repeat(20),
  kms: null,
  kms_type: 'phala' as const,
  kms_info: null,
  compose_file: built.app_compose as AppCompose,
  compose_hash: built.compose_hash,
  public_logs: true,
  public_sysinfo: true,
  public_tcbinfo: true,
};

describe('secretsChange', () => {
  const kept = () => formOf(cvm).secrets;
  it('sends no change if nothing was edited', () => {
    expect(secretsChange(kept(), ['A', 'B'])).toEqual({ kind: 'none' });
    expect(secretsChange([...kept(), newRow()], ['A', 'B'])).toEqual({ kind: 'none' });
    expect(toPatch(formOf(cvm), cvm)).toEqual({});
  });
  it('removes a name without new ciphertext', () => {
    expect(secretsChange(kept().slice(1), ['A', 'B'])).toEqual({ kind: 'names', names: ['B'] });
    expect(toPatch({ ...formOf(cvm), secrets: kept().slice(1) }, cvm)).toEqual({ allowed_envs: ['B'] });
  });
  it('requires all values as soon as one is new', () => {
    const rows = kept().map((row) => (row.key === 'A' ? { ...row, value: 'x', replaced: true } : row));
    expect(secretsChange(rows, ['A', 'B'])).toEqual({ kind: 'incomplete', missing: ['B'] });
    expect(secretsChange([...kept(), newRow('C', 'y')], ['A', 'B'])).toEqual({
      kind: 'incomplete',
      missing: ['A', 'B'],
    });
  });
  it('keeps the hash when only values change', () => {
    const rows = kept().map((row) => ({ ...row, value: 'x', replaced: true }));
    expect(secretsChange(rows, ['A', 'B'])).toEqual({
      kind: 'values',
      env: [
        { key: 'A', value: 'x' },
        { key: 'B', value: 'x' },
      ],
    });
    const patch = toPatch({ ...formOf(cvm), secrets: rows }, cvm);
    expect(patch).toEqual({});
    expect(buildAppCompose(composeAfter(cvm.compose_file, patch)).compose_hash).toBe(cvm.compose_hash);
  });
});

describe('values from the user’s vault copy', () => {
  const copy = [
    { key: 'A', value: 'one' },
    { key: 'B', value: 'two' },
  ];
  const known = () => withValues(formOf(cvm).secrets, copy);
  it('aren’t a change on their own', () => {
    expect(known().map(({ value }) => value)).toEqual(['one', 'two']);
    expect(secretsChange(known(), ['A', 'B'])).toEqual({ kind: 'none' });
    expect(secretsChange(known().slice(1), ['A', 'B'])).toEqual({ kind: 'names', names: ['B'] });
  });
  it('allow editing one without retyping the other', () => {
    const rows = known().map((row) => (row.key === 'A' ? { ...row, value: 'new', replaced: true } : row));
    expect(secretsChange(rows, ['A', 'B'])).toEqual({
      kind: 'values',
      env: [
        { key: 'A', value: 'new' },
        { key: 'B', value: 'two' },
      ],
    });
    const emptied = known().map((row) => (row.key === 'B' ? { ...row, value: '', replaced: true } : row));
    expect(secretsChange(emptied, ['A', 'B'])).toMatchObject({
      kind: 'values',
      env: [copy[0], { key: 'B', value: '' }],
    });
  });
  it('don’t replace values typed before the copy was opened', () => {
    const [a] = withValues([{ ...newRow('A', 'typed'), kept: true, replaced: true }], copy);
    expect(a).toMatchObject({ value: 'typed', original: 'one' });
  });
  it('are still all required if the copy lacks one', () => {
    const [a, b] = withValues(formOf(cvm).secrets, [copy[0]!]);
    expect(secretsChange([{ ...a!, value: 'x', replaced: true }, b!], ['A', 'B'])).toEqual({
      kind: 'incomplete',
      missing: ['B'],
    });
  });
});

describe('concurrent edits', () => {
  const theirs = { ...cvm, public_logs: false };
  it('merge when they touch different fields', () => {
    const mine = { ...formOf(cvm), compose: 'services: {mine: {}}\n' };
    const { form, collisions } = rebase(mine, cvm, theirs);
    expect(collisions).toEqual([]);
    expect(form).toMatchObject({ compose: 'services: {mine: {}}\n', public_logs: false });
    expect(toPatch(form, theirs)).toEqual({ docker_compose_file: 'services: {mine: {}}\n' });
  });
  it('report fields that both changed', () => {
    const file = { ...cvm.compose_file, docker_compose_file: 'services: {theirs: {}}\n' };
    const mine = { ...formOf(cvm), compose: 'services: {mine: {}}\n' };
    const { collisions } = rebase(mine, cvm, { ...cvm, compose_file: file });
    expect(collisions).toEqual(['compose']);
    const same = { ...formOf(cvm), compose: 'services: {theirs: {}}\n' };
    expect(rebase(same, cvm, { ...cvm, compose_file: file }).collisions).toEqual([]);
  });
  it('keep typed secrets, or take the new names if none were typed', () => {
    const file = { ...cvm.compose_file, allowed_envs: ['A', 'B', 'C'] };
    const untouched = rebase(formOf(cvm), cvm, { ...cvm, compose_file: file });
    expect(untouched.form.secrets.map(({ key }) => key)).toEqual(['A', 'B', 'C']);
    const typed = formOf(cvm).secrets.map((row) => ({ ...row, value: 'x', replaced: true }));
    const both = rebase({ ...formOf(cvm), secrets: typed }, cvm, { ...cvm, compose_file: file });
    expect(both.collisions).toEqual(['secrets']);
    expect(both.form.secrets).toEqual(typed);
  });
});

describe('toPatch and the hash after', () => {
  it('sends only what changed and computes the new hash', () => {
    const patch = toPatch({ ...formOf(cvm), compose: 'services: {a: {}}\n', public_logs: false }, cvm);
    expect(patch).toEqual({ docker_compose_file: 'services: {a: {}}\n', public_logs: false });
    const after = buildAppCompose(composeAfter(cvm.compose_file, patch)).compose_hash;
    expect(after).toBe(
      buildAppCompose({
        name: 'my-app',
        docker_compose_file: 'services: {a: {}}\n',
        allowed_envs: ['A', 'B'],
        public_logs: false,
      }).compose_hash,
    );
  });
  it('detects a running compose file that it can’t hash', () => {
    expect(hashIsOurs(cvm)).toBe(true);
    expect(hashIsOurs({ ...cvm, compose_hash: '0'.repeat(64) })).toBe(false);
  });
});

describe('runUpdate', () => {
  const root = '11'.repeat(32);
  const public_key = bytesToHex(x25519.getPublicKey(new Uint8Array(32).fill(0x22)));
  const signature = signEnvKey({ app_id: cvm.app_id, public_key }, root);
  const pinned = recoverEnvKeySigner({ app_id: cvm.app_id, public_key, signature });
  const api = (k256_pubkey: string): UpdateApi & { sent: CvmPatch[]; rolled: CvmPatch[] } => ({
    sent: [],
    rolled: [],
    getKms: async () => ({ k256_pubkey }) as KmsContract,
    getAppEnvPubkey: async () => ({ public_key, signature }),
    async patchCvm(_id, body) {
      this.sent.push(body);
      return { correlation_id: 'c' };
    },
    async createRollout(_id, body) {
      this.rolled.push(body);
    },
  });
  const env = [{ key: 'A', value: 'hunter2' }];

  it('sends new values as ciphertext that only the guest opens', async () => {
    const server = api(pinned);
    const { sealed, waits } = await runUpdate(server, cvm, {
      patch: { allowed_envs: ['A'] },
      env,
      scope: 'cvm',
    });
    expect(waits).toBe(false);
    expect(sealed).toBe(server.sent[0]?.encrypted_env);
    expect(openEnv(server.sent[0]!.encrypted_env!, '22'.repeat(32))).toEqual(env);
    expect(JSON.stringify(server.sent)).not.toContain('hunter2');
  });
  it('rejects a key from another KMS and a key the CVM can’t decrypt with', async () => {
    const server = api(
      recoverEnvKeySigner({
        app_id: cvm.app_id,
        public_key,
        signature: signEnvKey({ app_id: cvm.app_id, public_key }, '33'.repeat(32)),
      }),
    );
    await expect(runUpdate(server, cvm, { patch: {}, env, scope: 'cvm' })).rejects.toMatchObject({
      code: 'signer_mismatch',
    });
    const other = { ...cvm, kms_info: { encrypted_env_pubkey: 'ff'.repeat(32) } as never };
    await expect(runUpdate(api(pinned), other, { patch: {}, env, scope: 'cvm' })).rejects.toMatchObject({
      code: 'env_key_changed',
    });
    expect(server.sent).toEqual([]);
  });
  it('updates all CVMs of the app when selected', async () => {
    const server = api(pinned);
    await runUpdate(server, cvm, { patch: {}, env, scope: 'app' });
    expect(server.sent).toEqual([]);
    expect(openEnv(server.rolled[0]!.encrypted_env!, '22'.repeat(32))).toEqual(env);
  });
  it('requests no key when the secrets don’t change', async () => {
    const server = api('unused');
    const patch = { public_logs: false };
    expect(await runUpdate(server, cvm, { patch, env: null, scope: 'cvm' })).toEqual({
      sealed: null,
      waits: false,
    });
    expect(server.sent).toEqual([{ public_logs: false }]);
  });
  it('completes if the change waits for the app’s contract', async () => {
    const refusing = (code: string): UpdateApi => ({
      ...api(pinned),
      patchCvm: () => Promise.reject(new ApiError({ status: 465, code, message: 'Registration required' })),
    });
    const request = { patch: {}, env, scope: 'cvm' } as const;
    const updated = await runUpdate(refusing('ERR-01-005'), cvm, request);
    expect(updated.waits).toBe(true);
    // Needed for the vault copy.
    expect(openEnv(updated.sealed ?? '', '22'.repeat(32))).toEqual(env);
    await expect(runUpdate(refusing('ERR-00-016'), cvm, request)).rejects.toThrow('Registration required');
  });
});

it('updates all CVMs only from the newest revision, since it sends only what changed', () => {
  const at = (name: string, revision_number: number, desired_status: 'running' | 'deleted' = 'running') => ({
    name,
    revision_number,
    desired_status,
  });
  const cvms = [at('web-1', 2), at('web-2', 4), at('web-3', 3), at('web-4', 5, 'deleted')];
  expect(rolloutRefusal({ revision_number: 4 }, cvms)).toBeUndefined();
  expect(rolloutRefusal({ revision_number: 2 }, cvms)).toBe(
    'web-2 runs revision 4, but this form starts from revision 2. To update all CVMs, edit web-2.',
  );
});

describe('the effect shown before an update', () => {
  const running = { desired_status: 'running' } as const;

  it('names the network of the contract that must allow the change first', () => {
    const { title, text } = updateEffect(running, 'cvm', 'Base');
    expect(title).toBe('The app’s contract must allow this change first.');
    expect(text).toMatch(/allows the new compose hash on Base, and you commit the change/);
    expect(updateEffect(running, 'cvm', null).text).toContain('restarts with the new revision');
  });

  it('promises no revision if only secret values change', () => {
    for (const scope of ['cvm', 'app'] as const) {
      const { text } = updateEffect(running, scope, null, null, false);
      expect(text).toContain('with the new secrets');
      expect(text).not.toContain('revision');
    }
    const { text } = updateEffect({ desired_status: 'stopped' }, 'cvm', null, null, false);
    expect(text).toBe('The CVM stays stopped. The next start uses the new secrets.');
  });

  it('says that nobody can allow it if the contract has no owner', () => {
    const said = (allowed: boolean | null) =>
      updateEffect(running, 'cvm', 'Base', { network: 'Base', allowed });
    expect(said(false).title).toBe('Nobody can allow this change.');
    expect(said(null).text).toContain('only to a compose hash the contract already allows');
    for (const allowed of [false, null]) expect(said(allowed).text).not.toContain('the owner allows');
    expect(said(true).text).toContain('restarts with the new revision');
  });
});
