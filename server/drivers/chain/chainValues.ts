import type { Address, Hex } from 'viem';
import { bytes32 } from '../../../console/lib/kms/hex';
import { chainText } from './chainText';
import type { AppBoot } from './index';

const ZERO: Hex = `0x${'0'.repeat(64)}`;
const hash = (text: string | undefined): Hex => bytes32(text ?? '') ?? ZERO;
export const addressOf = (text: string | undefined): Address => `0x${(text ?? '').padStart(40, '0')}`;

/** A boot as an argument of a KMS contract's functions. */
export const bootInfo = (boot: AppBoot) => ({
  appId: addressOf(boot.app_id),
  composeHash: hash(boot.compose_hash),
  instanceId: addressOf(boot.instance_id),
  deviceId: hash(boot.device_id),
  mrAggregated: hash(boot.mr_aggregated),
  mrSystem: hash(boot.mr_system),
  osImageHash: hash(boot.os_image_hash),
  tcbStatus: boot.tcb_status,
  advisoryIds: [...(boot.advisory_ids ?? [])],
});

export const lower = (value: string | null) => value?.toLowerCase() ?? null;
export const reasonOf = (text: string) => chainText(text, 500);
export const gatewayOf = (text: string | null) => (text === null ? null : chainText(text, 200));
