import { beforeEach, describe, expect, it } from 'vitest';
import { x25519 } from '@noble/curves/ed25519.js';
import type {
  CommitCvm,
  CreateCvm,
  KmsContract,
  Provision,
  ProvisionCvm,
} from '../../../../generated/api/types.gen';
import { ApiError } from '../../../api/apiError';
import { bytesToHex } from '../../../lib/bytes';
import { recoverEnvKeySigner, signEnvKey } from '../../../lib/secrets/kmsKey';
import { openEnv } from '../../../lib/secrets/seal';
import type { Step } from '../../../ui/feedback/ProgressSteps';
import { attemptAfter, type DeployApi, newAttempt, runDeploy } from './deploy';
import { composeHashOf, emptyForm, toProvision } from './form';

const rootKey = '11'.repeat(32);
const guestKey = '22'.repeat(32);
const app_id = 'ab'.repeat(20);
const public_key = bytesToHex(x25519.getPublicKey(new Uint8Array(32).fill(0x22)));
const now = Math.floor(Date.now() / 1000);
const signature = signEnvKey({ app_id, public_key }, rootKey);
const pinned = recoverEnvKeySigner({ app_id, public_key, signature });
const body: ProvisionCvm = toProvision({
  ...emptyForm,
  name: 'my-app',
  compose: 'services: {}\n',
  size: 'tdx.small',
});
const env = [{ key: 'TOKEN', value: 'hunter2' }];

class FakeServer implements DeployApi {
  provisions: { body: ProvisionCvm; key: string }[] = [];
  creates: { body: CreateCvm; key: string }[] = [];
  hash = composeHashOf(body);
  signer = rootKey;
  pinned: string | null = pinned;
  signed_at = now;
  loseAnswer = false;

  async provisionCvm(sent: ProvisionCvm, key: string): Promise<Provision> {
    this.provisions.push({ body: sent, key });
    if (this.chain_id !== null)
      return {
        compose_hash: this.hash,
        app_id: null,
        app_env_encrypt_pubkey: null,
        kms_info: { chain_id: this.chain_id, kms_contract_address: `0x${'a1'.repeat(20)}` },
        device_id: 'd1'.repeat(32),
        kms_id: 'kms_base',
      } as Provision;
    return {
      compose_hash: this.hash,
      app_id,
      app_env_encrypt_pubkey: public_key,
      app_env_encrypt_pubkey_signature: signEnvKey({ app_id, public_key }, this.signer),
      app_env_encrypt_pubkey_signature_v1: signEnvKey(
        { app_id, public_key, timestamp: this.signed_at },
        this.signer,
      ),
      app_env_encrypt_pubkey_timestamp: this.signed_at,
      kms_info: null,
      fmspc: null,
      device_id: null,
      os_image_hash: null,
      instance_type: 'tdx.small',
      teepod_id: 1,
      node_id: 1,
      kms_id: 'kms_local',
      kms_contract_id: 'kmsc_local',
      expires_at: new Date().toISOString(),
    };
  }
  contracts: Provision[] = [];
  chain_id: number | null = null;
  async deployContract(provision: Provision) {
    this.contracts.push(provision);
    return { app_id, deployer_address: `0x${'f1'.repeat(20)}` };
  }
  async getKms(): Promise<KmsContract> {
    return { k256_pubkey: this.pinned } as KmsContract;
  }
  async getAppEnvPubkey() {
    return { public_key, signature };
  }
  async createCvm(sent: CreateCvm, key: string): Promise<CommitCvm> {
    this.creates.push({ body: sent, key });
    if (this.loseAnswer) throw new TypeError('Failed to fetch');
    return { vm_uuid: 'u-1', name: 'my-app' } as CommitCvm;
  }
}

let server: FakeServer;
let steps: Step[];
const run = (attempt = newAttempt(body), values = env) =>
  runDeploy(server, attempt, values, (next) => (steps = next));
const states = () => Object.fromEntries(steps.map(({ id, state }) => [id, state]));

beforeEach(() => {
  server = new FakeServer();
  steps = [];
});

describe('runDeploy', () => {
  it('counts the scheduled deletion from when the CVM is created, in retries too', async () => {
    await run();
    expect(server.creates[0]?.body).not.toHaveProperty('scheduled_delete_at');
    const attempt = newAttempt(body, undefined, { delete_after: '24', delete_at: '' });
    server.loseAnswer = true;
    await expect(run(attempt)).rejects.toThrow();
    server.loseAnswer = false;
    await run(attempt);
    const [, lost, again] = server.creates.map((one) => one.body.scheduled_delete_at);
    expect(again).toBe(lost);
    const hours = (Date.parse(lost ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    const refused = new ApiError({ status: 422, message: 'Another contract.', code: 'ERR-01-007' });
    expect(attemptAfter(refused, attempt)?.deletion).toEqual(attempt.deletion);
  });

  it('seals in the browser, so the server sees only ciphertext', async () => {
    expect((await run()).vm_uuid).toBe('u-1');
    const created = server.creates[0]!.body;
    expect(created).toMatchObject({ app_id, compose_hash: server.hash, kms_id: 'kms_local', env_keys: [] });
    expect(openEnv(created.encrypted_env ?? '', guestKey)).toEqual(env);
    expect(JSON.stringify([server.provisions, server.creates])).not.toContain('hunter2');
    expect(states()).toEqual({ provision: 'done', hash: 'done', key: 'done', seal: 'done', create: 'done' });
  });

  it('requests no key and sends no ciphertext without secrets', async () => {
    server.pinned = null;
    await run(newAttempt(body), []);
    expect(server.creates[0]?.body).not.toHaveProperty('encrypted_env');
    expect(states()).toMatchObject({ key: 'skipped', seal: 'skipped', create: 'done' });
  });

  it('refuses a key that the pinned KMS did not sign, and sends nothing', async () => {
    server.signer = '33'.repeat(32);
    await expect(run()).rejects.toMatchObject({ name: 'DeployRefused', code: 'signer_mismatch' });
    expect(server.creates).toEqual([]);
    expect(states()).toMatchObject({ key: 'failed', seal: 'waiting', create: 'waiting' });
    // The form's error box gives the reason.
    expect(steps.find(({ id }) => id === 'key')?.detail).toBeNull();
  });

  it('refuses a KMS without a pinned key and a replayed signature', async () => {
    server.pinned = null;
    await expect(run()).rejects.toMatchObject({ code: 'kms_key_not_pinned' });
    server.pinned = pinned;
    server.signed_at = now - 3600;
    await expect(run()).rejects.toMatchObject({ code: 'signature_too_old' });
    expect(server.creates).toEqual([]);
  });

  it('stops when the server computes a different hash', async () => {
    server.hash = 'f'.repeat(64);
    await expect(run()).rejects.toMatchObject({ code: 'compose_hash_mismatch' });
    expect(server.creates).toEqual([]);
  });

  it('waits for the app contract of an on-chain KMS, and commits with its address', async () => {
    server.chain_id = 8453;
    await run();
    expect(server.contracts).toHaveLength(1);
    const created = server.creates[0]!.body;
    expect(created).toMatchObject({
      app_id,
      kms_id: 'kms_base',
      contract_address: `0x${app_id}`,
      deployer_address: `0x${'f1'.repeat(20)}`,
    });
    expect(openEnv(created.encrypted_env ?? '', guestKey)).toEqual(env);
    expect(steps.map(({ id }) => id)).toEqual(['provision', 'hash', 'contract', 'key', 'seal', 'create']);
  });

  it('doesn’t request the contract again when the commit is repeated', async () => {
    server.chain_id = 8453;
    const attempt = newAttempt(body);
    server.loseAnswer = true;
    await expect(run(attempt)).rejects.toThrow('Failed to fetch');
    server.loseAnswer = false;
    await run(attempt);
    expect(server.contracts).toHaveLength(1);
    expect(server.creates[1]).toEqual(server.creates[0]);
  });

  it('requests another contract after the server refused one, and seals to that', async () => {
    server.chain_id = 8453;
    const attempt = newAttempt(body);
    await run(attempt);
    const refused = new ApiError({ status: 467, code: 'ERR-01-007', message: 'There is no contract there.' });
    const next = attemptAfter(refused, attempt);
    expect(next).toMatchObject({ body, provision_key: attempt.provision_key, provision: attempt.provision });
    await run(next!);
    expect(server.provisions).toHaveLength(1);
    expect(server.contracts).toHaveLength(2);
    // Another body with the same key would be refused.
    expect(server.creates[1]?.key).not.toBe(server.creates[0]?.key);
    expect(server.creates[1]?.body.encrypted_env).not.toBe(server.creates[0]?.body.encrypted_env);
  });

  it('starts over only if the reservation is lost', () => {
    const attempt = newAttempt(body);
    const failed = (code?: string) =>
      new ApiError({ status: 409, message: 'No.', ...(code ? { code } : {}) });
    expect(attemptAfter(failed('ERR-00-028'), attempt)).toBeNull();
    expect(attemptAfter(failed('ERR-00-048'), attempt)).toBe(attempt);
    expect(attemptAfter(new TypeError('Failed to fetch'), attempt)).toBe(attempt);
  });

  it('retries a lost response with the same key and bytes', async () => {
    const attempt = newAttempt(body);
    server.loseAnswer = true;
    await expect(run(attempt)).rejects.toThrow('Failed to fetch');
    server.loseAnswer = false;
    await run(attempt);
    expect(server.provisions).toHaveLength(1);
    expect(server.creates).toHaveLength(2);
    expect(server.creates[1]).toEqual(server.creates[0]);
    expect(states()).toEqual({ provision: 'done', hash: 'done', key: 'done', seal: 'done', create: 'done' });
    expect(newAttempt(body).create_key).not.toBe(attempt.create_key);
    expect(JSON.stringify(attempt)).not.toContain('hunter2');
  });
});
