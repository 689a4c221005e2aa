import type { OperationId } from '../../../generated/api/operations.gen';

/**
 * Replies in the shapes of API version 2025-10-28, which published clients still ask for (`X-Phala-Version`).
 * Pure functions over validated replies of the present version, so that handlers know one version only.
 */
type Mapper = (body: unknown) => unknown;

export const compat: Partial<Record<OperationId, Mapper>> = {};
