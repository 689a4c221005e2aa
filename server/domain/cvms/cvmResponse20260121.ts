import type {
  AppInstance,
  CommitCvm,
  CommitCvm20260121,
  CvmActionResult,
  CvmActionResult20260121,
  DeviceAllowlist,
  DeviceAllowlist20260121,
  InstanceIdRefresh,
  InstanceIdRefresh20260121,
  InstanceIdRefreshList20260121,
  InstanceIdRefreshList,
  IsAllowed,
  IsAllowed20260121,
  IsAllowedList,
  IsAllowedList20260121,
} from '../../../generated/api/types.gen';

// Replies as in version 2026-01-21, in which these operations named a CVM by its number. The schemas strip the members
// beyond the newest shapes from newer replies.

export type NumberedRefresh = InstanceIdRefresh & { cvm_number: number };
export type NumberedIsAllowed = IsAllowed & { cvm_number?: number };
export type NumberedAllowlist = Omit<DeviceAllowlist, 'devices'> & {
  devices: (DeviceAllowlist['devices'][number] & { cvm_numbers?: number[] })[];
};
export type AppInstanceWithVm = AppInstance & { vm: CvmActionResult };

export const vm20260121 = ({ numeric_id, ...vm }: CvmActionResult): CvmActionResult20260121 => ({
  ...vm,
  id: numeric_id,
});

export const commit20260121 = ({ numeric_id, ...cvm }: CommitCvm): CommitCvm20260121 => ({
  ...cvm,
  id: numeric_id,
});

export const instance20260121 = ({ vm }: AppInstanceWithVm): CvmActionResult20260121 => vm20260121(vm);

export const refresh20260121 = ({ cvm_number, ...refresh }: NumberedRefresh): InstanceIdRefresh20260121 => ({
  ...refresh,
  cvm_id: cvm_number,
});

export const refreshList20260121 = (
  list: InstanceIdRefreshList & { items: NumberedRefresh[] },
): InstanceIdRefreshList20260121 => ({ ...list, items: list.items.map(refresh20260121) });

export const isAllowed20260121 = ({
  cvm_number,
  cvm_id: _,
  ...decision
}: NumberedIsAllowed): IsAllowed20260121 => ({
  ...decision,
  ...(cvm_number === undefined ? {} : { cvm_id: cvm_number }),
});

/** No CVM is ever skipped, so there are no IDs to convert. */
export const isAllowedList20260121 = (
  list: IsAllowedList & { results: NumberedIsAllowed[] },
): IsAllowedList20260121 => ({
  ...list,
  results: list.results.map(isAllowed20260121),
  skipped_cvm_ids: [],
});

export const allowlist20260121 = (list: NumberedAllowlist): DeviceAllowlist20260121 => ({
  ...list,
  devices: list.devices.map(({ cvm_numbers = [], ...device }) => ({ ...device, cvm_ids: cvm_numbers })),
});
