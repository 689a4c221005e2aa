import { STEPS } from '../../../console/lib/cvms/steps';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { guardedApp, type GuardedApp } from '../../db/kms/guardedApp';
import { isUp } from '../../domain/cvms/vmState';
import { bootRefusal } from '../../domain/kms/bootRefusal';
import { ChainError } from '../../drivers/chain';
import type { VmInfo } from '../../drivers/vmm';
import { appAndRevision } from './bootCvm';
import { failUnchanged } from './failUnchanged';
import { OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';

/** Beyond this, an unreachable chain fails the operation; nothing has changed on the host by then. */
const ASK_SECONDS = 60;

/**
 * Queries the app's contract, if any, before anything is sent to the host: permissions may have changed since
 * the request, and rollouts and rollbacks reach a CVM later. @throws OperationFailed
 */
export async function requireAllowed(
  run: OperationRun,
  boot: { compose_hash: string; os_image: string; teepod_id: number },
): Promise<void> {
  const { os_image, teepod_id } = boot;
  const guarded = await guardedApp(run.db, { app_id: run.cvm.app_id, os_image, teepod_id });
  if (!guarded) return;
  await run.step(STEPS.contract, async () => {
    const refusal = await run.until('contract', () => ask(run, guarded, boot.compose_hash), ASK_SECONDS);
    if (refusal !== '')
      throw new OperationFailed('HASH_NOT_ALLOWED', operationText('contract_refused', { text: refusal }));
  });
}

/**
 * Queries the contract before a running CVM is stopped to boot again. If the contract refuses or can't be read,
 * the CVM keeps running. A CVM that isn't up has nothing to lose: it goes to the host, whose KMS queries the
 * contract.
 */
export async function requireAllowedWhileUp(run: OperationRun, vm: VmInfo | null): Promise<void> {
  if (run.began(STEPS.stop) || !isUp(vm)) return;
  try {
    const { revision } = await appAndRevision(run, run.cvm.revision_id);
    const { compose_hash } = revision;
    await requireAllowed(run, { compose_hash, os_image: run.cvm.os_image, teepod_id: run.teepod.id });
  } catch (error) {
    if (error instanceof OperationFailed) await failUnchanged(run, error);
    throw error;
  }
}

/** Returns the reason for a refusal, empty if there is none, or undefined while the chain can't be read. */
async function ask(
  run: OperationRun,
  guarded: GuardedApp,
  compose_hash: string,
): Promise<string | undefined> {
  const { app_id, chain_id, address, device_id, os_image_hash } = guarded;
  const boot = { app_id, compose_hash, device_id: device_id ?? '', tcb_status: 'UpToDate' };
  try {
    const reading = await run.chain.readApp(
      { chain_id, address },
      {
        app_id,
        compose_hashes: [compose_hash],
        device_ids: device_id === null ? [] : [device_id],
        // Contracts also allow images. Without the image's hash, only their lists can be read.
        boots: os_image_hash === null ? [] : [{ ...boot, os_image_hash }],
      },
      run.signal,
    );
    const [verdict] = reading.verdicts;
    if (verdict) return verdict.allowed ? '' : verdict.reason;
    const lists = {
      compose_hash_allowed: reading.compose_hashes[0] === true,
      device_id_allowed: reading.device_ids[0] === true,
    };
    return bootRefusal(reading, lists) ?? '';
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    run.log.warn({ err: error }, "the chain isn't responding, retrying");
    return undefined;
  }
}
