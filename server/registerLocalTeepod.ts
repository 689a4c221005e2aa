import { registerLocalHost } from './db/hosts/hosts';
import type { Seal } from './domain/core/seal';
import { createKmsDriver } from './drivers/kms/rpc';
import type { LocalTeepodReady } from './localTeepod';
import type { Services } from './operations/types';

/** Updates the local teepod's rows once it responds. Its KMS key must match the one pinned at its first start. */
export async function registerLocal(
  { config, db, vmm, seal, log }: Services,
  ready: LocalTeepodReady,
): Promise<void> {
  const url = ready.listen;
  // Queries the KMS directly, before anything is registered under its name.
  const probe = createKmsDriver({ url: `${url}:/kms` });
  const { k256_pubkey, bootstrap_info } = await probe.getMeta().finally(() => probe.close());
  const chain_kms = ready.kms_contract && (await chainKmsOf(url, ready.kms_contract));
  const { pins } = await registerLocalHost(db, {
    url,
    engine: ready.engine,
    gateway_base_domain: `cvm.localhost:${ready.gateway_port}`,
    k256_pubkey,
    ca_pubkey: bootstrap_info?.ca_pubkey ?? null,
    max_cvms: config.localTeepod.maxCvms,
    max_vcpu: config.localTeepod.vcpu,
    max_memory_mb: config.localTeepod.memoryMb,
    max_disk_gb: config.localTeepod.diskGb,
    all_teams: config.localTeepod.teams === 'all',
    device_id: ready.device_id,
    chain_kms,
    webhook_token: localKmsToken(seal),
  });
  if (!pins.includes(k256_pubkey))
    log.error(
      "the local teepod's KMS key has changed since its first start, so its data was lost or replaced; deployments with secrets are refused",
    );
  const row = await db
    .selectFrom('teepods')
    .selectAll()
    .where('name', '=', 'local-teepod')
    .executeTakeFirstOrThrow();
  const { syncTeepod } = await import('./jobs/hosts/syncTeepod');
  await syncTeepod(db, vmm.get(row), row);
  log.info(
    { engine: ready.engine },
    `local teepod ready (no hardware TEE, containers ${ready.engine === 'docker' ? 'run on Docker' : 'are simulated'})`,
  );
}

/** Stable across processes and restarts, because the first boots may query before the KMS is registered again. */
export const localKmsToken = (seal: Seal) =>
  `thk_kms_${seal.sign('kms-webhook', 'local').replace(/\W/g, 'x')}`;

async function chainKmsOf(teepod: string, contract: { address: string; chain_id: number }) {
  const url = `${teepod}:/kms-chain`;
  const probe = createKmsDriver({ url });
  const { k256_pubkey, bootstrap_info } = await probe.getMeta().finally(() => probe.close());
  return { url, k256_pubkey, ca_pubkey: bootstrap_info?.ca_pubkey ?? null, ...contract };
}
