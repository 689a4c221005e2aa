import type { Handler } from '../types';
import { nextCredential } from './credential';
import { checkReferences } from './createAdminTeepod';
import { checkHost } from './teepodCheck';

export const checkNewTeepod: Handler<'checkNewTeepod'> = async ({ body, ctx }) => {
  const {
    url,
    kms_id = null,
    max_cvms = null,
    max_vcpu = null,
    max_memory_mb = null,
    max_disk_gb = null,
  } = body;
  await checkReferences(ctx, { kms_id });
  const held = nextCredential(ctx, { credential_kind: 'none', sealed_credential: null }, body);
  const found = await checkHost(
    ctx,
    { url, kind: 'dstack_vmm', ...held },
    { kms_id, max_cvms, max_vcpu, max_memory_mb, max_disk_gb },
  );
  return { status: 200, body: found };
};
