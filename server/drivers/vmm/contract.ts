import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyEnvKey } from '../../../console/lib/secrets/kmsKey';
import { VmmError, type VmInfo, type VmmDriver, type VmSpec } from './index';

/** A host to test the driver on. */
export interface ContractTarget {
  driver: VmmDriver;
  /** an image the host has */
  image: string;
  /** its KMS's signing key, known from elsewhere; null if the host has no KMS */
  k256_pubkey: string | null;
  /** how long a boot to `done`, or a stop, may take */
  patience_ms: number;
  /** nothing runs, so there is no network to report either */
  simulated: boolean;
  /** reads container logs from the guest agent if it is reachable */
  container_logs: boolean;
  close(): Promise<void>;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An app-compose.json with one container that stays up; `mark` makes its hash unique. */
function composeFile(mark: string): string {
  return JSON.stringify({
    manifest_version: 2,
    name: 'contract',
    runner: 'docker-compose',
    docker_compose_file:
      'services:\n  web:\n    image: localhost/teehouse-busybox:latest\n    command: ["sh", "-c", "echo hello; sleep 3600"]\n',
    kms_enabled: false,
    gateway_enabled: false,
    public_logs: true,
    public_tcbinfo: true,
    salt: mark,
  });
}

/**
 * Tests what the rest of the server relies on against a live host. Touches only VMs it creates, and removes them.
 * Tests of one life cycle run in order: each starts where the last one left the VM.
 */
export function vmmContract(name: string, makeTarget: () => Promise<ContractTarget>): void {
  describe(`a host through the VMM driver: ${name}`, () => {
    let target: ContractTarget;
    let driver: VmmDriver;
    const prefix = `contract-${randomBytes(4).toString('hex')}`;
    const created: string[] = [];

    const create = async (label: string, spec: Partial<VmSpec> = {}): Promise<string> => {
      const id = await driver.createVm({
        name: `${prefix}-${label}`,
        image: target.image,
        compose_file: composeFile(label),
        vcpu: 1,
        memory: 2048,
        disk_size: 10,
        stopped: true,
        ...spec,
      });
      created.push(id);
      return id;
    };
    const until = async (what: string, id: string, right: (info: VmInfo | null) => boolean) => {
      const deadline = Date.now() + target.patience_ms;
      for (;;) {
        const info = await driver.getInfo(id);
        if (right(info)) return info;
        if (Date.now() > deadline)
          throw new Error(
            `${what}: still ${info?.status} ${info?.boot_progress} after ${target.patience_ms} ms`,
          );
        await new Promise((resolve) => setTimeout(resolve, Math.min(target.patience_ms / 200, 2000)));
      }
    };
    const booted = (id: string) =>
      until('boot', id, (info) => info?.status === 'running' && info.boot_progress === 'done');
    const stopped = (id: string) => until('stop', id, (info) => info?.status === 'stopped');
    const bootedHash = async (id: string) =>
      (JSON.parse((await driver.guest.info(id)).tcb_info) as { compose_hash: string }).compose_hash;

    beforeAll(async () => {
      target = await makeTarget();
      driver = target.driver;
    }, 60_000);

    afterAll(async () => {
      for (const id of created) await driver.removeVm(id).catch(() => {});
      await target?.close();
    }, 60_000);

    it('reports its version and capabilities', async () => {
      const { version } = await driver.version();
      expect(version).toMatch(/^\d+\.\d+/);
      const can = await driver.capabilities();
      expect(can.version).toBe(version);
      expect((await driver.getMeta()).resources?.max_cvm_number).toBeGreaterThan(0);
      expect((await driver.listImages()).map((image) => image.name)).toContain(target.image);
      expect(Array.isArray((await driver.listGpus()).gpus)).toBe(true);
    });

    it("hashes a compose file's exact bytes", async () => {
      const text = composeFile('hash é 🚀');
      expect(await driver.composeHash(text)).toBe(sha256(text));
    });

    it("signs an app's environment key with its KMS", async (context) => {
      if (target.k256_pubkey === null) return context.skip();
      const app_id = randomBytes(20).toString('hex');
      const answer = await driver.getAppEnvEncryptPubKey(app_id);
      const pinned_k256_pubkey = target.k256_pubkey;
      const { public_key, timestamp } = answer;
      expect(verifyEnvKey({ public_key, app_id, pinned_k256_pubkey, signature: answer.signature })).toBe(
        pinned_k256_pubkey,
      );
      const fresh = { public_key, app_id, pinned_k256_pubkey, timestamp, signature: answer.signature_v1 };
      expect(verifyEnvKey(fresh)).toBe(pinned_k256_pubkey);
      const again = await driver.getAppEnvEncryptPubKey(app_id);
      expect(again.public_key).toBe(public_key);
      expect((await driver.getAppEnvEncryptPubKey(randomBytes(20).toString('hex'))).public_key).not.toBe(
        public_key,
      );
    });

    describe('one life cycle', () => {
      const patience = 40 * 60_000;
      let id: string;

      it('creates a VM without starting it', async () => {
        id = await create('life');
        const info = await driver.getInfo(id);
        expect(info).toMatchObject({ id, name: `${prefix}-life`, status: 'stopped' });
        expect(info?.app_id).toBe(sha256(composeFile('life')).slice(0, 40));
        expect(info?.configuration?.compose_file).toBe(composeFile('life'));
      });

      it('finds it by part of its name, without configuration', async () => {
        const page = await driver.status({ keyword: prefix, brief: true });
        expect(page.vms.map((vm) => vm.id)).toEqual([id]);
        expect(page.total).toBe(1);
        expect(page.vms[0]?.configuration).toBeNull();
        expect((await driver.status({ ids: [id] })).vms[0]?.configuration?.vcpu).toBe(1);
        expect((await driver.status({ keyword: `${prefix}-nobody` })).vms).toEqual([]);
      });

      it('resizes while stopped and never shrinks a disk', async () => {
        const before = (await driver.getInfo(id))?.configuration?.disk_size ?? 0;
        // Before 0.6, a VM has no disk to grow until it first starts.
        const disk_size = before + ((await driver.capabilities()).api_protected ? 2 : 0);
        await driver.updateVm(id, { memory: 3072, disk_size });
        expect((await driver.getInfo(id))?.configuration).toMatchObject({ memory: 3072, disk_size });
        await expect(driver.updateVm(id, { disk_size: disk_size - 1 })).rejects.toMatchObject({
          kind: 'rejected',
        });
        expect((await driver.getInfo(id))?.configuration?.disk_size).toBe(disk_size);
      });

      it(
        'boots to done, and starting again changes nothing',
        async () => {
          await driver.startVm(id);
          const info = await booted(id);
          expect(info?.boot_error).toBe('');
          expect(info?.instance_id).toMatch(/^[0-9a-f]{40}$/);
          expect(info?.events.some((e) => e.event === 'boot.progress' && e.body === 'done')).toBe(true);
          await driver.startVm(id);
          expect((await driver.getInfo(id))?.status).toBe('running');
        },
        patience,
      );

      it('responds for the guest', async () => {
        expect((await driver.guest.info(id)).app_id).toBe((await driver.getInfo(id))?.app_id);
        expect((await driver.guest.sysInfo(id)).num_cpus).toBeGreaterThanOrEqual(1);
        const { interfaces } = await driver.guest.networkInfo(id);
        expect(interfaces.every(({ name }) => name !== '')).toBe(true);
        if (!target.simulated) expect(interfaces.length).toBeGreaterThan(0);
        const containers = await driver.guest.listContainers(id);
        expect(containers).toHaveLength(1);
        expect(containers[0]?.state).toBe('running');
        expect(containers[0]?.names[0]).toMatch(/^\/.*web/);
      });

      it('keeps listing it after a reload of its VMs, and names its process by its ID', async (context) => {
        // dstack-vmm has them since 0.5.6 and 0.5.7; the built-in teepod has no supervisor to list.
        const unlessUnsupported = (error: unknown) => {
          if (error instanceof VmmError && error.kind === 'unsupported') return null;
          throw error;
        };
        await driver.reloadVms().catch(unlessUnsupported);
        expect((await driver.getInfo(id))?.status).toBe('running');
        const processes = await driver.listProcesses().catch(unlessUnsupported);
        if (processes === null) return context.skip();
        expect(processes.find((one) => one.id === id)?.status).toBe('running');
      });

      it('returns every channel of its log, and follows', async () => {
        const serial = await readAll(await driver.logs({ id, channel: 'serial' }));
        expect(serial).toMatch(/\S/);
        for (const channel of ['stdout', 'stderr'] as const)
          expect(await readAll(await driver.logs({ id, channel }))).not.toContain('[vmm heartbeat]');
        const tail = await readAll(await driver.logs({ id, channel: 'serial', lines: 1 }));
        expect(tail.trimEnd().split('\n')).toHaveLength(1);
        const stop = new AbortController();
        let seen = 0;
        for await (const chunk of await driver.logs({ id, follow: true, signal: stop.signal })) {
          seen += chunk.length;
          stop.abort();
        }
        expect(seen).toBeGreaterThan(0);
        await expect(driver.logs({ id: 'no-such-vm', channel: 'serial' })).rejects.toMatchObject({
          kind: 'not_found',
        });
      });

      it("returns a container's output", async (context) => {
        if (!target.container_logs) return context.skip();
        const vm = (await driver.getInfo(id))!;
        const name = (await driver.guest.listContainers(id))[0]!.names[0]!.slice(1);
        const bare = await driver.containerLogs({ vm, container: name, query: { text: true, bare: true } });
        expect(bare.status).toBe(200);
        expect(await readAll(bare.body)).toMatch(/\S/);
        const rows = await driver.containerLogs({ vm, container: name, query: { tail: 1 } });
        const row = JSON.parse(await readAll(rows.body)) as { channel: string; message: string };
        expect(row.channel).toMatch(/^std(out|err)$/);
        expect(Buffer.from(row.message, 'base64').toString()).toMatch(/\S/);
        const none = await driver.containerLogs({ vm, container: 'nobody' });
        expect(none.status).toBeGreaterThanOrEqual(400);
        await readAll(none.body);
      });

      it(
        'applies an update at the next boot',
        async () => {
          const before = composeFile('life');
          const after = composeFile('updated');
          await driver.updateVm(id, { compose_file: after });
          expect((await driver.getInfo(id))?.configuration?.compose_file).toBe(after);
          expect(await bootedHash(id)).toBe(sha256(before));
          await driver.stopVm(id);
          await stopped(id);
          await driver.startVm(id);
          await booted(id);
          expect(await bootedHash(id)).toBe(sha256(after));
          expect((await driver.getInfo(id))?.app_id).toBe(sha256(before).slice(0, 40));
        },
        patience,
      );

      it('refuses to resize while running', async () => {
        await expect(driver.updateVm(id, { vcpu: 2 })).rejects.toMatchObject({ kind: 'rejected' });
      });

      it(
        'shuts down gracefully',
        async () => {
          await driver.shutdownVm(id);
          await stopped(id);
          await expect(driver.guest.info(id)).rejects.toMatchObject({ kind: 'rejected', retryable: true });
        },
        patience,
      );

      it(
        'is gone after removal, and removing it again succeeds',
        async () => {
          await driver.removeVm(id);
          await until('removal', id, (info) => info === null);
          await driver.removeVm(id);
          expect((await driver.status({ keyword: prefix })).vms).toEqual([]);
        },
        patience,
      );
    });

    it('creates two VMs from two equal requests, so callers must check before repeating one', async () => {
      const ids = [await create('twin'), await create('twin')];
      expect(new Set(ids).size).toBe(2);
      const found = await driver.status({ keyword: `${prefix}-twin`, brief: true });
      expect(found.vms.map((vm) => vm.id).sort()).toEqual(ids.sort());
    });

    it("doesn't know a VM it never had", async () => {
      const id = '00000000-0000-4000-8000-000000000000';
      expect(await driver.getInfo(id)).toBeNull();
      await expect(driver.startVm(id)).rejects.toMatchObject({ kind: 'not_found', retryable: false });
      await expect(driver.stopVm(id)).rejects.toMatchObject({ kind: 'not_found' });
      await expect(driver.updateVm(id, { compose_file: composeFile('x') })).rejects.toMatchObject({
        kind: 'not_found',
      });
      await driver.removeVm(id);
    });

    it("rejects a compose file that isn't JSON and leaves nothing behind", async () => {
      const error = await create('broken', { compose_file: '{' }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(VmmError);
      expect(error).toMatchObject({ kind: 'rejected', retryable: false, ambiguous: false });
      expect((await driver.status({ keyword: `${prefix}-broken` })).vms).toEqual([]);
    });
  });
}

export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
