import { z } from 'zod';
import type { MeasuredBoot } from '../../domain/kms/bootRule';

/** Hex of up to this many bytes, with or without 0x; left-padded like in dstack's own backend. */
const hex = (bytes: number) =>
  z
    .string()
    .max(2 * bytes + 2)
    .regex(/^(0x)?[0-9a-f]*$/i)
    .transform((text) =>
      text
        .toLowerCase()
        .replace(/^0x/, '')
        .padStart(2 * bytes, '0'),
    )
    .refine((text) => text.length === 2 * bytes);
const label = z.string().max(100);

/** The request of dstack's KMS; irrelevant fields, which differ between versions, are ignored. */
const bootInfo = z.object({
  mrAggregated: hex(32),
  osImageHash: hex(32),
  appId: hex(20),
  composeHash: hex(32),
  instanceId: hex(20),
  deviceId: hex(32),
  mrSystem: hex(32).nullish(),
  teeVariant: label.nullish(),
  tcbStatus: label.nullish(),
  advisoryIds: z.array(z.string().max(64)).max(100).nullish(),
});

/** Returns the boot in a request's body, or the name of the invalid field. */
export function readBootInfo(
  body: Buffer,
  subject: MeasuredBoot['subject'],
): MeasuredBoot | { wrong: string } {
  let given: unknown;
  try {
    given = JSON.parse(body.toString('utf8'));
  } catch {
    return { wrong: 'The body is not JSON.' };
  }
  const { success, data, error } = bootInfo.safeParse(given);
  if (!success)
    return { wrong: `${error.issues[0]?.path[0]?.toString() ?? 'The body'} is missing or invalid.` };
  return {
    subject,
    app_id: data.appId,
    compose_hash: data.composeHash,
    instance_id: data.instanceId,
    device_id: data.deviceId,
    mr_aggregated: data.mrAggregated,
    mr_system: data.mrSystem ?? '',
    os_image_hash: data.osImageHash,
    tee_variant: data.teeVariant ?? null,
    tcb_status: data.tcbStatus ?? '',
    advisory_ids: data.advisoryIds ?? [],
  };
}
