import type { PublicDomainCheck } from '../../../generated/api/types.gen';
import { ownValue } from '../../../console/lib/ownValue';

/** A file that an app serves on its own domain, so that its visitors find its page here: docs/embedding.md. */

/** Far larger than any valid file. */
export const MAX_DOMAIN_FILE = 4_096;

/** Describes what a domain's file names, compared with the app whose page is at `report`. */
export function judgeDomainFile(
  text: string,
  { app_id, report }: { app_id: string; report: string },
): PublicDomainCheck['result'] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return 'no_file';
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return 'no_file';
  const fields = file as Record<string, unknown>;
  const named = ownValue(fields, 'app_id');
  const address = ownValue(fields, 'report');
  if (ownValue(fields, 'version') !== 1 || typeof named !== 'string' || typeof address !== 'string')
    return 'no_file';
  const isSame = named.toLowerCase().replace(/^0x/, '') === app_id && address === report;
  return isSame ? 'names_this_app' : 'names_another';
}
