import { NEWEST_VERSION, VERSION_HEADER } from '../../../console/lib/apiVersion';
import { Problem } from '../../domain/core/problem';

/**
 * Versions of the API, oldest first; the document's parameter `ApiVersion` lists the same. Handlers reply in the
 * newest. `changes.ts` has what each version changed.
 */
export const VERSIONS = ['2025-10-28', '2026-01-21', '2026-05-22', NEWEST_VERSION] as const;

export type ApiVersion = (typeof VERSIONS)[number];

/** Log URLs and event streams are requested without the header; published clients expect this version there. */
export const DEFAULT_VERSION: ApiVersion = '2026-01-21';

/** Returns the version that `X-Phala-Version` names. @throws UNKNOWN_VERSION */
export function versionNamed(header: string | undefined): ApiVersion {
  if (header === undefined) return DEFAULT_VERSION;
  if (header === 'LATEST') return NEWEST_VERSION;
  const version = VERSIONS.find((known) => known === header);
  if (version === undefined)
    throw new Problem('UNKNOWN_VERSION', {
      message: `This server doesn't know the API version “${header.slice(0, 64)}”. Known versions: ${VERSIONS.join(', ')}.`,
      details: [{ field: VERSION_HEADER, value: [...VERSIONS] }],
    });
  return version;
}
