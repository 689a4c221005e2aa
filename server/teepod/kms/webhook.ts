/** Queries the control plane before releasing keys, like dstack's KMS queries its webhook. */
import { setTimeout as wait } from 'node:timers/promises';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { imageHash } from '../attestation';

const ANSWER_MS = 10_000;
/** Retry period, because the control plane may be restarting. */
const RETRY_MS = 15_000;
const PAUSE_MS = 250;

/** Hex without 0x. */
interface Boot {
  app_id: string;
  compose_hash: string;
  device_id: string;
  instance_id: string;
  /** Name of the OS image. */
  image: string;
}

/** @throws {Error} with the reason of a refusal, or if there is no answer, in which case nothing is released */
export async function authorize(webhook: string, boot: Boot, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + RETRY_MS;
  for (;;) {
    const answer = await ask(webhook, boot, signal);
    if (answer === 'allowed') return;
    if (answer !== null) throw new Error(`the KMS refused the app keys: ${cutWhole(answer.reason, 500)}`);
    if (Date.now() > deadline)
      throw new Error("the KMS's authorization webhook isn't responding, so the app gets no keys");
    await wait(PAUSE_MS, undefined, { signal });
  }
}

/** Returns null if the query must be retried. */
async function ask(
  webhook: string,
  boot: Boot,
  signal: AbortSignal,
): Promise<'allowed' | { reason: string } | null> {
  try {
    const response = await fetch(`${webhook}/bootAuth/app`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      body: JSON.stringify({
        teeVariant: 'simulated',
        mrAggregated: '',
        osImageHash: imageHash(boot.image),
        mrSystem: '',
        appId: boot.app_id,
        composeHash: boot.compose_hash,
        instanceId: boot.instance_id,
        deviceId: boot.device_id,
        keyProviderInfo: '',
        // Simulated, like everything a local teepod measures.
        tcbStatus: 'UpToDate',
        advisoryIds: [],
      }),
    });
    if (response.status !== 200) return null;
    const { isAllowed, reason } = (await response.json()) as { isAllowed?: unknown; reason?: unknown };
    if (isAllowed === true) return 'allowed';
    return isAllowed === false ? { reason: String(reason) } : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
