/**
 * Runs the published, unmodified `@phala/cloud` SDK against the real server with real containers. Every action parses
 * the reply with the SDK's own schema and throws if it doesn't match, so a call that returns was accepted.
 */
import * as phala from '@phala/cloud';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../testing/server';
import { sshKey } from './testing/fixtures';
import { ACTIONS, COMMITS, matches, OF_THE_CHAIN } from './testing/sdkActions';
import { says, startSdkWorld, type SdkWorld } from './testing/sdkWorld';

const HEX64 = /^[0-9a-f]{64}$/;

let started: SdkWorld;
let world: SdkWorld['world'];
let wire: SdkWorld['wire'];
let sdk: SdkWorld['sdk'];
let old: SdkWorld['old'];
/** Deployed by one test, used by later ones. */
let cvm: phala.CommitCvmProvision & { app_id: string; vm_uuid: string };
let provision: phala.ProvisionCvm;

const seal = (pubkey: string | null | undefined, value: string) =>
  phala.encryptEnvVars([{ key: 'SECRET', value }], pubkey ?? '');
const watch = (id: string, target = 'running', onEvent?: (event: phala.SSEEvent) => void) =>
  phala.watchCvmState(sdk, { id, target, interval: 5, timeout: 120, retryDelay: 100 }, { onEvent });

beforeAll(async () => {
  started = await startSdkWorld();
  ({ world, wire, sdk, old } = started);
});
afterAll(() => started?.stop());

describe('@phala/cloud 0.2.9', () => {
  it('identifies the user and the team, in both versions', async () => {
    const [now, before] = await Promise.all([sdk.getCurrentUser(), old.getCurrentUser()]);
    expect(now).toMatchObject({ user: { email: 'alice@example.test' }, workspace: { slug: world.slug } });
    expect(before).toMatchObject({ email: 'alice@example.test', credits: expect.any(Number) });
    const { data } = await sdk.listWorkspaces();
    expect(data).toEqual([expect.objectContaining({ slug: world.slug, is_default: true, role: 'owner' })]);
    expect(await sdk.getWorkspace(world.slug)).toMatchObject({ slug: world.slug });
    const quotas = await phala.getWorkspaceQuotas(sdk, { teamSlug: world.slug });
    expect(quotas.quotas.vm_slots.remaining).toBe(quotas.quotas.vm_slots.limit);
    const nodes = await phala.getWorkspaceNodes(sdk, { teamSlug: world.slug });
    expect(nodes.items.map((node) => node.name)).toEqual(['local-teepod']);
  });

  it('reads the catalog', async () => {
    const { nodes, kms_list } = await sdk.getAvailableNodes();
    expect(nodes[0]?.images.map((image) => image.version)).toContainEqual([0, 6, 0]);
    const { result } = await sdk.listAllInstanceTypeFamilies();
    expect(result.map((family) => family.name)).toEqual(['cpu', 'gpu']);
    const { items } = await sdk.listFamilyInstanceTypes({ family: 'cpu' });
    expect(items.map((type) => type.id)).toContain('tdx.small');
    const images = await sdk.getOsImages({ is_dev: false });
    expect(images.items.map((image) => image.is_dev)).not.toContain(true);
    const all = await sdk.getKmsList();
    expect(all.items.map((kms) => kms.slug)).toEqual(['local']);
    const byId = await sdk.getKmsInfo({ kms_id: all.items[0]?.id ?? '' });
    expect(byId).toEqual(kms_list[0]);
    expect(await sdk.getKmsInfo({ kms_id: 'local' })).toEqual(byId);
    expect(byId.url).not.toContain(world.server.dataDir);
    expect(await sdk.getKmsOnChainDetail({ chain: 'base' })).toMatchObject({ chain_id: 8453, contracts: [] });
  });

  it('deploys with a secret under a key signed by the pinned KMS key', async () => {
    provision = await sdk.provisionCvm({
      name: 'sdk-app',
      instance_type: 'tdx.small',
      compose_file: { docker_compose_file: says('first'), allowed_envs: ['SECRET'] },
    });
    const app_id = provision.app_id ?? '';
    const { public_key, signature } = await sdk.getAppEnvEncryptPubKey({ kms: 'local', app_id });
    expect(public_key).toBe(provision.app_env_encrypt_pubkey);
    const signer = phala.verifyEnvEncryptPublicKey(
      Buffer.from(public_key, 'hex'),
      Buffer.from(signature, 'hex'),
      app_id,
    );
    const pinned = await world.server.services.db
      .selectFrom('kms')
      .select('k256_pubkey')
      .where('slug', '=', 'local')
      .executeTakeFirstOrThrow();
    expect(signer).toBe(`0x${pinned.k256_pubkey}`);

    const commit = {
      app_id,
      compose_hash: provision.compose_hash,
      encrypted_env: await seal(public_key, 'one'),
    };
    const committed = await sdk.commitCvmProvision(commit);
    expect(committed).toMatchObject({ name: 'sdk-app', app_id, vm_uuid: expect.any(String) });
    cvm = { ...committed, app_id, vm_uuid: committed.vm_uuid ?? '' };
    // Repeated because the reply was lost: returns the same CVM.
    expect((await sdk.commitCvmProvision(commit)).vm_uuid).toBe(cvm.vm_uuid);
  });

  it('follows its boot', async () => {
    const seen: string[] = [];
    const state = await watch(cvm.vm_uuid, 'running', (event) => seen.push(event.type));
    expect(state).toMatchObject({ name: 'sdk-app', status: 'running' });
    expect(seen).toContain('state');
    expect(seen.at(-1)).toBe('complete');
    expect(await sdk.getCvmState({ id: cvm.vm_uuid })).toMatchObject({ status: 'running' });
  });

  it('reads the CVM and its app, in both versions', async () => {
    const id = { id: cvm.vm_uuid };
    const now = await sdk.getCvmInfo(id);
    const before = await old.getCvmInfo(id);
    expect(now).toMatchObject({
      id: expect.stringMatching(/^cvm_/),
      vm_uuid: cvm.vm_uuid,
      app_id: cvm.app_id,
    });
    expect(before).toMatchObject({ id: cvm.id, vm_uuid: cvm.vm_uuid, app_id: cvm.app_id });
    for (const client of [sdk, old] as phala.Client[]) {
      expect((await client.getCvmList()).total).toBe(1);
      const apps = await phala.getAppList(client, { search: 'sdk-app' });
      expect(apps.dstack_apps).toEqual([
        expect.objectContaining({
          app_id: cvm.app_id,
          cvm_count: 1,
          current_cvm: expect.objectContaining({ vm_uuid: cvm.vm_uuid }),
        }),
      ]);
      const one = await phala.getAppInfo(client, { appId: cvm.app_id });
      expect(one).toMatchObject({ name: 'sdk-app', cvms: [{ vm_uuid: cvm.vm_uuid }] });
      expect(await phala.getAppCvms(client, { appId: cvm.app_id })).toHaveLength(1);
    }
    const { revisions } = await phala.getAppRevisions(sdk, { appId: cvm.app_id });
    expect(revisions).toEqual([
      expect.objectContaining({ compose_hash: provision.compose_hash, vm_uuid: cvm.vm_uuid }),
    ]);
    const batch = await phala.getCvmStatusBatch(sdk, { vmUuids: [cvm.vm_uuid] });
    expect(batch[cvm.vm_uuid]).toMatchObject({ status: 'running', in_progress: false });
  });

  it('reads data from the guest', async () => {
    const id = { id: cvm.vm_uuid };
    const composition = await sdk.getCvmContainersStats(id);
    expect(composition.is_online).toBe(true);
    expect(composition.containers?.map((one) => one.image)).toEqual(['nginx:alpine']);
    const url = new URL(composition.containers?.[0]?.log_endpoint ?? '');
    url.searchParams.set('text', '');
    await eventually('the log has the secret', async () =>
      (await (await fetch(url)).text()).includes('first one'),
    );
    expect((await sdk.getCvmStats(id)).sysinfo).toMatchObject({
      num_cpus: expect.any(Number),
      disks: expect.any(Array),
    });
    expect(await sdk.getCvmNetwork(id)).toMatchObject({ is_online: true, public_urls: [expect.any(Object)] });
    const attestation = await sdk.getCvmAttestation(id);
    expect(attestation).toMatchObject({
      is_online: true,
      tcb_info: { mrtd: expect.stringMatching(/^[0-9a-f]{96}$/) },
    });
    expect(attestation.tcb_info?.event_log.map((one) => one.event)).toContain('compose-hash');
    expect(await phala.getCvmUserConfig(sdk, id)).toMatchObject({ hostname: 'sdk-app' });
  });

  it('reads the hashed compose file', async () => {
    const id = { id: cvm.vm_uuid };
    expect(await sdk.getCvmDockerCompose(id)).toBe(says('first'));
    expect(await sdk.getCvmPreLaunchScript(id)).toBe('');
    const file = await sdk.getCvmComposeFile(id);
    // The file's own method uses another hash (an older scheme of the SDK); the exported one is what hosts and chains
    // use.
    expect(file.getHash()).toMatch(HEX64);
    const { getHash: _, toString: __, ...bytes } = file;
    expect(phala.getComposeHash(bytes as Parameters<typeof phala.getComposeHash>[0])).toBe(
      provision.compose_hash,
    );
  });

  it('changes the CVM: JSON patch, raw YAML, secrets', async () => {
    const id = cvm.vm_uuid;
    const patched = await phala.patchCvm(sdk, {
      id,
      docker_compose_file: says('patched'),
      public_logs: false,
    });
    expect(patched).toEqual({ requiresOnChainHash: false, correlationId: expect.any(String) });
    await watch(id);
    expect(await sdk.getCvmDockerCompose({ id })).toBe(says('patched'));
    expect((await old.getCvmInfo({ id })).public_logs).toBe(false);

    const replaced = await sdk.updateDockerCompose({ id, docker_compose_file: says('replaced') });
    expect(replaced).toMatchObject({ status: 'in_progress', correlation_id: expect.any(String) });
    expect(wire.seen.at(-1)).toMatchObject({
      headers: { 'content-type': 'text/yaml' },
      body: says('replaced'),
      status: 202,
    });
    await watch(id);
    expect(await sdk.getCvmDockerCompose({ id })).toBe(says('replaced'));

    const info = await sdk.getCvmInfo({ id });
    const blob = await seal(info.kms_info?.encrypted_env_pubkey, 'two');
    const updated = await sdk.updateCvmEnvs({ id, encrypted_env: blob, env_keys: ['SECRET'] });
    expect(updated).toMatchObject({ status: 'in_progress', allowed_envs_changed: false });
    await watch(id);
    const { compose_hash } = await sdk.getCvmInfo({ id });
    expect(compose_hash).toBe(info.compose_hash);
    const { revisions } = await phala.getAppRevisions(sdk, { appId: cvm.app_id });
    expect(revisions[0]?.compose_hash).toBe(compose_hash);
    expect(revisions.at(-1)?.compose_hash).toBe(provision.compose_hash);
  });

  it('changes other measured settings: visibility, script, OS image, a prepared file', async () => {
    const id = cvm.vm_uuid;
    const shown = await sdk.updateCvmVisibility({ id, public_logs: true, public_sysinfo: false });
    expect(shown).toMatchObject({ id: cvm.id, status: 'updating' });
    await watch(id);
    expect(await old.getCvmInfo({ id })).toMatchObject({ public_logs: true, public_sysinfo: false });

    const script = '#!/bin/sh\necho ready\n';
    expect(await sdk.updatePreLaunchScript({ id, pre_launch_script: script })).toMatchObject({
      status: 'in_progress',
    });
    await watch(id);
    expect(await sdk.getCvmPreLaunchScript({ id })).toBe(script);

    const images = (await sdk.getAvailableOsImages({ id })).flatMap(({ prod, dev }) => [prod, dev]);
    expect(images.filter((image) => image?.is_current)).toHaveLength(1);
    const other = images.find((image) => image && !image.is_current);
    await sdk.updateOsImage({ id, os_image_name: other?.name ?? '' });
    await watch(id);
    expect((await sdk.getCvmInfo({ id })).os?.name).toBe(other?.name);

    const { getHash: _, toString: __, ...app_compose } = await sdk.getCvmComposeFile({ id });
    const draft = await sdk.provisionCvmComposeFileUpdate({
      id,
      app_compose: { ...app_compose, docker_compose_file: says('prepared') },
    });
    expect(draft).toMatchObject({ app_id: cvm.app_id, compose_hash: expect.stringMatching(HEX64) });
    await sdk.commitCvmComposeFileUpdate({ id, compose_hash: draft.compose_hash } as never);
    await watch(id);
    expect(await sdk.getCvmInfo({ id })).toMatchObject({ compose_hash: draft.compose_hash });
    expect(await sdk.getCvmDockerCompose({ id })).toBe(says('prepared'));
  });

  it('reads app filters, deployment options and ID formats', async () => {
    const appId = cvm.app_id;
    const options = await phala.getAppFilterOptions(sdk);
    expect(options).toMatchObject({ statuses: ['running'], kms_types: ['phala'], nodes: ['local-teepod'] });
    const { compose_hash } = await sdk.getCvmInfo({ id: cvm.vm_uuid });
    const asked = { appId, compose_hash: `0x${compose_hash}` };
    expect(await phala.checkAppIsAllowed(sdk, asked)).toMatchObject({ is_allowed: true });
    expect(await phala.checkCvmIsAllowed(sdk, { cvmId: cvm.vm_uuid })).toMatchObject({ is_allowed: true });
    expect(await phala.checkAppCvmsIsAllowed(sdk, { appId })).toMatchObject({
      is_onchain: false,
      total: 1,
      allowed_count: 1,
    });
    expect(await phala.getAppDeviceAllowlist(sdk, { appId })).toMatchObject({ is_onchain_kms: false });
    const { revisions } = await phala.getAppRevisions(sdk, { appId });
    const [newest] = revisions;
    const detail = await phala.getAppRevisionDetail(sdk, { appId, revisionId: newest?.revision_id ?? '' });
    expect(detail).toMatchObject({ compose_hash: newest?.compose_hash });

    const { app_ids } = await sdk.nextAppIds({ counts: 2 });
    expect(app_ids).toHaveLength(2);
    const planned = await sdk.provisionCvm({
      name: 'sdk-next',
      app_id: app_ids[0]?.app_id,
      nonce: app_ids[0]?.nonce,
      compose_file: { docker_compose_file: says('next') },
    });
    expect(planned.app_id).toBe(app_ids[0]?.app_id);

    const same = { status: 'unchanged', old_instance_id: expect.any(String) };
    expect(await phala.refreshCvmInstanceId(sdk, { id: cvm.vm_uuid })).toMatchObject(same);
    expect(await phala.refreshCvmInstanceIds(sdk, { running_only: true })).toMatchObject({
      total: 1,
      items: [same],
    });
  });

  it("reads the app's evidence", async () => {
    const attested = await phala.getAppAttestation(sdk, { appId: cvm.app_id });
    expect(attested).toMatchObject({ app_id: cvm.app_id, instances: [{ vm_uuid: cvm.vm_uuid }] });
  });

  it('adds a CVM to the app', async () => {
    const more = await phala.createAppInstance(sdk, { appId: cvm.app_id });
    expect(more).toMatchObject({ app_id: cvm.app_id, vm_uuid: expect.any(String) });
    await watch(more.vm_uuid ?? '');
    await sdk.deleteCvm({ id: more.vm_uuid ?? '' });
    await world.gone(more.vm_uuid ?? '');
  });

  it('reports that no chain waits for a commit', async () => {
    const id = cvm.vm_uuid;
    const hashes = { composeHash: 'aa'.repeat(32), transactionHash: 'already-registered' };
    const token = '550e8400-e29b-41d4-a716-446655440000';
    for (const attempt of [
      () => phala.commitCvmUpdate(sdk, { id, token, ...hashes }),
      () => phala.confirmCvmPatch(sdk, { id, ...hashes }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 466, errorCode: 'ERR-01-006' });
  });

  it('resizes it', async () => {
    const id = cvm.vm_uuid;
    await sdk.updateCvmResources({ id, vcpu: 2, memory: 4096, disk_size: 40, allow_restart: true });
    await watch(id);
    expect(await old.getCvmInfo({ id })).toMatchObject({ vcpu: 2, memory: 4096, disk_size: 40 });
  });

  it('stops, starts, shuts down and restarts it', async () => {
    const id = { id: cvm.vm_uuid };
    const steps = [
      [sdk.stopCvm, 'stopping', 'stopped'],
      [sdk.startCvm, 'starting', 'running'],
      [sdk.shutdownCvm, 'shutting_down', 'stopped'],
      [sdk.startCvm, 'starting', 'running'],
      [sdk.restartCvm, 'restarting', 'running'],
    ] as const;
    for (const [action, passing, end] of steps) {
      expect(await action(id)).toMatchObject({ vm_uuid: cvm.vm_uuid, status: passing });
      expect((await watch(cvm.vm_uuid, end)).status).toBe(end);
    }
  });

  it('replicates it and deletes both', async () => {
    const replica = await phala.replicateCvm(sdk, { uuid: cvm.vm_uuid });
    expect(replica).toMatchObject({ app_id: cvm.app_id, vm_uuid: expect.any(String) });
    const ids = [replica.vm_uuid ?? '', cvm.vm_uuid];
    await watch(ids[0] ?? '');
    expect(await phala.getAppCvms(sdk, { appId: cvm.app_id })).toHaveLength(2);
    const error = await sdk.getCvmInfo({ app_id: cvm.app_id }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ errorCode: 'ERR-03-010' });
    for (const id of ids) await sdk.deleteCvm({ id });
    for (const id of ids) await world.gone(id);
    expect((await sdk.getCvmList()).total).toBe(0);
  });

  it('stores SSH keys', async () => {
    const key = await sdk.createSshKey({ name: 'laptop', public_key: sshKey(9) });
    expect(await sdk.listSshKeys()).toEqual([key]);
    await sdk.deleteSshKey({ keyId: key.id });
    expect(await sdk.listSshKeys()).toEqual([]);
    const imported = await sdk.importGithubProfileSshKeys({ github_username: 'octocat' });
    expect(imported).toMatchObject({ keys_added: 1, keys_skipped: 0, errors: [] });
    expect(await sdk.syncGithubSshKeys()).toMatchObject({
      synced_count: 1,
      keys_updated: 1,
      keys_removed: 0,
    });
    expect(await sdk.listSshKeys()).toMatchObject([
      { source: 'github', public_key: expect.stringContaining('ssh-ed25519') },
    ]);
  });

  it('throws the documented error classes', async () => {
    const thrown = (work: Promise<unknown>) =>
      work.then(
        () => expect.unreachable('was accepted'),
        (error: unknown) => error,
      );
    const stranger = phala.createClient({ apiKey: 'phak_wrong', baseURL: world.prefix });
    expect(await thrown(stranger.getCurrentUser())).toBeInstanceOf(phala.AuthError);
    const none = await thrown(sdk.getCvmInfo({ name: 'nosuchcvm' }));
    expect(none).toBeInstanceOf(phala.ResourceError);
    expect(none).toMatchObject({ status: 404, errorCode: phala.ErrorCodes.CVM_NOT_FOUND });
    const invalid = await thrown(sdk.post('/cvms/provision', { name: 7 }));
    expect(invalid).toBeInstanceOf(phala.ValidationError);
    expect(invalid).toMatchObject({
      validationErrors: expect.arrayContaining([expect.objectContaining({ field: 'name' })]),
    });
  });

  it("has no action this suite doesn't cover", () => {
    // Every action has a variant that doesn't throw.
    const actions = Object.keys(phala).filter(
      (name) => `safe${name[0]?.toUpperCase()}${name.slice(1)}` in phala,
    );
    expect(actions.toSorted()).toEqual([...Object.keys(ACTIONS), ...OF_THE_CHAIN].toSorted());
  });

  it('calls every one', () => {
    const called = (accepted: (status: number) => boolean) =>
      wire.seen
        .filter((one) => accepted(one.status))
        .map(({ method, path }) => `${method} ${(path.split('?')[0] ?? '').split('/').slice(1).join(' ')}`);
    const succeeded = called((status) => status < 300);
    const answered = called((status) => status === 466);
    const missing = Object.entries(ACTIONS).filter(
      ([action, route]) =>
        !(COMMITS.includes(action) ? answered : succeeded).some((one) => matches(route, one)),
    );
    expect(missing).toEqual([]);
  });
});
