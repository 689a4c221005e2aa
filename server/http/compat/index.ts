import type { OperationId } from '../../../generated/api/operations.gen';
import type { CurrentUser, CvmDetail } from '../../../generated/api/types.gen';
import type { ListedCvm } from '../../domain/cvms/cvmResponse';
import {
  app20251028,
  cvmDetail20251028,
  cvmListItem20251028,
  type WideApp,
} from '../../domain/cvms/cvmResponse20251028';
import { me20251028 } from './me';

/**
 * Replies in the shapes of API version 2025-10-28, which published clients still request (`X-Phala-Version`). Pure
 * functions over the handlers' current replies. Some fields (the KMS of a listed CVM) exist only for them and are
 * stripped from current replies by their schemas.
 */
type Mapper = (body: unknown) => unknown;

const mapper =
  <B>(map: (body: B) => unknown): Mapper =>
  (body) =>
    map(body as B);

export const compat: Partial<Record<OperationId, Mapper>> = {
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
};
