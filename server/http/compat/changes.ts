import type { ZodType } from 'zod';
import { NEWEST_VERSION } from '../../../console/lib/apiVersion';
import type { OperationId, OperationSpec } from '../../../generated/api/operations.gen';
import type {
  CurrentUser,
  CvmDetail,
  DeviceAllowlist,
  KmsInfo,
  KmsPage20260522,
} from '../../../generated/api/types.gen';
import type { ListedCvm } from '../../domain/cvms/cvmResponse';
import {
  app20251028,
  cvmDetail20251028,
  cvmListItem20251028,
  type WideApp,
} from '../../domain/cvms/cvmResponse20251028';
import {
  allowlist20260121,
  commit20260121,
  instance20260121,
  isAllowed20260121,
  isAllowedList20260121,
  refresh20260121,
  refreshList20260121,
  vm20260121,
} from '../../domain/cvms/cvmResponse20260121';
import { me20251028 } from './me';
import { VERSIONS, type ApiVersion } from './versions';

/** Converts a version's reply to the shape of the previous version. */
type Mapper = (body: unknown) => unknown;

const mapper =
  <B>(map: (body: B) => unknown): Mapper =>
  (body) =>
    map(body as B);

const vm = mapper(vm20260121);
const isAllowed = mapper(isAllowed20260121);

/**
 * Reply changes in each version, as pure functions back to the previous version. A reply is built once, in the newest
 * shape, and passes through the functions of all versions newer than the client's. Some fields exist only for these
 * functions and are stripped from newer replies by their schemas.
 */
export const CHANGES: Readonly<Record<ApiVersion, Partial<Record<OperationId, Mapper>>>> = {
  // The KMS API became about contracts.
  '2026-06-23': {
    listKms: mapper<{ services: KmsPage20260522 }>(({ services }) => services),
    getKms: mapper<{ service: KmsInfo }>(({ service }) => service),
  },
  // Every identifier of a CVM became a string.
  '2026-05-22': {
    createCvm: mapper(commit20260121),
    startCvm: vm,
    stopCvm: vm,
    shutdownCvm: vm,
    restartCvm: vm,
    createCvmReplica: vm,
    commitCvmReplica: vm,
    createAppInstance: mapper(instance20260121),
    updateCvmVisibility: mapper<CvmDetail>(cvmDetail20251028),
    refreshCvmInstanceId: mapper(refresh20260121),
    refreshCvmInstanceIds: mapper(refreshList20260121),
    checkCvmIsAllowed: isAllowed,
    checkAppIsAllowed: isAllowed,
    checkAppCvmsIsAllowed: mapper(isAllowedList20260121),
    getAppDeviceAllowlist: mapper<DeviceAllowlist>(allowlist20260121),
  },
  // Users, teams and CVMs became nested objects.
  '2026-01-21': {
    getCurrentUser: mapper<CurrentUser>(me20251028),
    getCvm: mapper<CvmDetail>(cvmDetail20251028),
    listCvmsPaginated: mapper<{ items: ListedCvm[] }>((page) => ({
      ...page,
      items: page.items.map(cvmListItem20251028),
    })),
    listAppCvms: mapper<ListedCvm[]>((cvms) => cvms.map(cvmListItem20251028)),
    getApp: mapper<WideApp>(app20251028),
    listApps: mapper<{ dstack_apps: WideApp[] }>((page) => ({
      ...page,
      dstack_apps: page.dstack_apps.map(app20251028),
    })),
  },
  '2025-10-28': {},
};

/** Converts a reply from version `from` to the shape of `version`, before its schema is applied. */
export function inVersion(
  id: OperationId,
  version: ApiVersion,
  body: unknown,
  from: ApiVersion = NEWEST_VERSION,
): unknown {
  return VERSIONS.filter((newer) => newer > version && newer <= from).reduceRight(
    (reply, newer) => CHANGES[newer][id]?.(reply) ?? reply,
    body,
  );
}

/** Returns the schema of an operation's successful reply in `version`; undefined if it is the newest one. */
export function olderSchema(spec: OperationSpec, version: ApiVersion): ZodType | undefined {
  return Object.entries(spec.versions).find(([last]) => version <= last)?.[1];
}
