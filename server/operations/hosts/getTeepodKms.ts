import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { findKmsById } from '../../db/hosts/fleet';
import { VmmError } from '../../drivers/vmm';
import type { Handler } from '../types';
import { teepodOr404 } from './teepod';
import { kmsCheck } from './teepodCheck';

const ANSWER_MS = 8_000;

export const getTeepodKms: Handler<'getTeepodKms'> = async ({ path, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const kms = teepod.kms_id === null ? undefined : await findKmsById(ctx.db, teepod.kms_id);
  const how = () => ({ signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]) });
  const driver = ctx.vmm.get(teepod);
  const meta = await driver.getMeta(how()).catch((error: unknown) => {
    ctx.signal.throwIfAborted();
    if (error instanceof VmmError || error instanceof DOMException) return error;
    throw error;
  });
  const answered = !(meta instanceof Error);
  const check = answered
    ? await kmsCheck(ctx, driver, teepod.kms_id, how)
    : { state: 'skipped' as const, found: "The host didn't respond." };
  const said = answered ? meta.kms : null;
  return {
    status: 200,
    body: {
      kms_id: kms?.id ?? null,
      slug: kms?.slug ?? null,
      type: kms?.type ?? null,
      url: kms?.url ?? null,
      state: kms?.state ?? null,
      k256_pubkey: kms?.k256_pubkey ?? null,
      next_k256_pubkey: kms?.next_k256_pubkey ?? null,
      answered,
      error: answered ? null : cutWhole(meta.message, 2000),
      host_urls: [...new Set([said?.url ?? '', ...(said?.urls ?? [])])]
        .filter((url) => url !== '')
        .slice(0, 20)
        .map((url) => url.slice(0, 2000)),
      key_state: check.state,
      found: cutWhole(check.found, 2000),
    },
  };
};
