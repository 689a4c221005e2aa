import { NO_HOST } from '../../../../console/lib/texts/noHost';
import type { Db, Tx } from '../../../db/core/client';
import { recycledCvmsOn } from '../../../db/cvms/recycledCapacity';
import { teepodCapacities, type TeepodCapacity } from '../../../db/hosts/reservations';
import { Problem } from '../../../domain/core/problem';
import { binTexts, shareOfBin } from '../../../domain/hosts/recycledCapacity';
import { refusal, type Candidate, type Wish } from '../../../domain/hosts/scheduler';

/**
 * Returns the refusal for a team that may use no host at all; null if it may use one, in any state.
 */
export async function noHostRefusal(db: Db, team_id: number): Promise<Problem | null> {
  const [any] = await teepodCapacities(db, { team_id, include_closed: true, limit: 1 });
  if (any) return null;
  return new Problem('TEEPOD_NOT_ACCESSIBLE', { message: NO_HOST });
}

interface Unsuitable {
  /** Hosts that accept new CVMs. */
  open: readonly TeepodCapacity[];
  /** Those that the key service can be used on. */
  of_kms: readonly TeepodCapacity[];
  kms: { slug: string };
  has_image: boolean;
}

/** Returns why open hosts can't run any CVM of this key service, whatever its size; null if one can. */
export function unsuitableRefusal({ open, of_kms, kms, has_image }: Unsuitable): Problem | null {
  const [first, ...more] = open;
  if (!first || has_image) return null;
  const who = more.length === 0 ? `The host “${first.teepod_name}”` : 'No host that is accepting new CVMs';
  const one = more.length === 0;
  if (of_kms.length === 0)
    return new Problem('RESOURCE_NOT_AVAILABLE', {
      message: `${who} ${one ? "doesn't use" : 'uses'} the key management service “${kms.slug}”.`,
      suggestions: ['Choose another key management service or host.'],
    });
  return new Problem('RESOURCE_NOT_AVAILABLE', {
    message: `${who} has ${one ? 'no' : 'an'} OS image.`,
    suggestions: ['Ask an administrator of this server to add an OS image.'],
  });
}

/** Returns why none of these hosts has room, and how much of the shortfall the recycle bin holds. */
export async function capacityRefusal(
  db: Db | Tx,
  team_id: number,
  hosts: readonly Candidate[],
  wish: Wish,
): Promise<Problem> {
  const recycled = await recycledCvmsOn(db, {
    teepod_ids: hosts.map(({ teepod_id }) => teepod_id),
    team_id,
    min_age_hours: 0,
  });
  return refusal(hosts, wish, binTexts(shareOfBin(hosts, wish, recycled)));
}

/**
 * Returns the hosts with a TEE.
 * @throws INCOMPATIBLE_CONFIG if there are hosts but none with a TEE
 */
export function withTee(hosts: readonly TeepodCapacity[]): TeepodCapacity[] {
  const [first] = hosts;
  const able = hosts.filter(({ kind }) => kind !== 'local');
  if (able.length > 0 || !first) return able;
  const message = `“${first.teepod_name}” is the built-in host. It has no TEE, so this app wouldn't start there.`;
  throw new Problem('INCOMPATIBLE_CONFIG', {
    message,
    details: [{ field: 'teepod_id', message }],
    suggestions: ['Choose a host with a TEE, or add one under Teepods.'],
  });
}
