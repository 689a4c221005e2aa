// Converts the console's records to the verifier's expected values. Pure, so that the page, the download and
// the tests agree.

import { DEFAULT_POLICY } from './defaultPolicy';
import { NO_DEVICE_ID } from './identity';
import type { Policy, TcbStatus } from './types';

/** As returned by the API. */
export interface Expected {
  app_id: string;
  compose_hash: string;
  instance_id: string | null;
  device_ids: readonly string[];
  os_images: readonly { os_image_hash: string; is_dev: boolean }[];
  key_provider_ids: readonly string[];
}

/** The user's choices for one verification. */
export interface Choices {
  accepted_tcb: readonly TcbStatus[];
  /** Development images allow login with an SSH key, so they count as known images only if enabled here. */
  dev_images: boolean;
}

export const DEFAULT_CHOICES: Choices = { accepted_tcb: DEFAULT_POLICY.accepted_tcb, dev_images: false };

/** @param report_data required by the quote, if known; see `certificateReportData` */
export function policyFrom(
  expected: Expected,
  { accepted_tcb, dev_images }: Choices,
  report_data: string | undefined,
): Policy {
  const devices = expected.device_ids.filter((id) => /^[0-9a-f]{64}$/i.test(id) && id !== NO_DEVICE_ID);
  return {
    scope: 'app',
    accepted_tcb,
    report_data,
    app_id: expected.app_id,
    compose_hash: expected.compose_hash,
    instance_id: expected.instance_id ?? undefined,
    device_ids: devices.length > 0 ? devices : undefined,
    key_provider_ids: expected.key_provider_ids.length > 0 ? expected.key_provider_ids : undefined,
    // Without any reference value, which OS runs is unknown. That doesn't make it a wrong one.
    os_image_hashes:
      expected.os_images.length === 0
        ? undefined
        : expected.os_images
            .filter(({ is_dev }) => dev_images || !is_dev)
            .map(({ os_image_hash }) => os_image_hash),
  };
}
