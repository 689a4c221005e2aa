import { OFFER_MINUTES, roomText } from '../../../console/lib/texts/roomText';
import { imagesOf, listActiveInstanceTypes } from '../../db/catalog/catalog';
import type { InstanceTypeRow } from '../../db/catalog/instanceTypesTable';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { offerRefusal } from '../../db/hosts/waits/offerRefusal';
import { teepodCapacities, teepodsWithRoom } from '../../db/hosts/reservations';
import { firstInLine, lockWait, noteOffer, type WaitingMember } from '../../db/hosts/waits/sizeWaits';
import { listKmsRows } from '../../db/kms/kms';
import type { KmsRow } from '../../db/kms/kmsTable';
import { placementPolicy } from '../../db/platform/platformSettings';
import { canUseKms, isUsableImage } from '../../domain/hosts/placement';
import { fits, type PlacementPolicy } from '../../domain/hosts/scheduler';
import { isSize, needsMore, needsOf, type Need as NeedOf } from '../../domain/hosts/sizeWait';
import type { MailOutbox } from '../notifications/mailOutbox';

/** Far more services than a server has. */
const ALL_KMS = { limit: 1000, offset: 0 };
/** Hosts with room read at a time; usually the first is suitable. */
const HOSTS_READ = 64;

type Need = NeedOf<InstanceTypeRow>;

interface OfferingRoom {
  db: Db;
  outbox: MailOutbox;
  billingEnforced: boolean;
}

/** What is known during a run. */
interface Round extends OfferingRoom {
  types: readonly InstanceTypeRow[];
  services: readonly KmsRow[];
  policy: PlacementPolicy;
  /** What no host has room for, by the teams that can use the same hosts. Capacity only shrinks during a run. */
  full: Map<string, Need[]>;
  /** Waits of teams that couldn't deploy. */
  refused: Set<number>;
}

/**
 * Offers free capacity on hosts to the members waiting for it: GPUs, or room for a size. Teams take turns: none gets a
 * second offer until every other waiting team that a host has room for has had one. The capacity is held for the team
 * for half an hour. Goes through the whole line, by team and size.
 */
export async function offerRoom(parts: OfferingRoom): Promise<void> {
  const { db } = parts;
  let line = await firstInLine(db);
  if (line.length === 0) return;
  const [types, policy, { rows: services }] = await Promise.all([
    listActiveInstanceTypes(db),
    placementPolicy(db),
    listKmsRows(db, ALL_KMS),
  ]);
  const round: Round = { ...parts, types, services, policy, full: new Map(), refused: new Set() };
  while (await offerToEach(round, line)) line = await firstInLine(db);
}

/** Makes each team one offer, if there is room. @returns whether any was made */
async function offerToEach(round: Round, line: readonly WaitingMember[]): Promise<boolean> {
  const offered = new Set<number>();
  for (const member of line)
    if (!offered.has(member.team_id) && (await offerTo(round, member))) offered.add(member.team_id);
  return offered.size > 0;
}

async function offerTo(round: Round, member: WaitingMember): Promise<boolean> {
  if (round.refused.has(member.id)) return false;
  for (const need of needsOf(member, round.types)) {
    const teepod_id = await hostFor(round, member, need);
    if (teepod_id !== undefined && (await offer(round, member, need, teepod_id))) return true;
  }
  return false;
}

/** Returns the host that a deployment would be placed on; undefined if none has room. */
async function hostFor(round: Round, member: WaitingMember, need: Need): Promise<number | undefined> {
  const { db, services, policy, full } = round;
  const who = member.has_own ? String(member.team_id) : 'everyone';
  if (full.get(who)?.some((less) => needsMore(need, less))) return undefined;
  const seen = new Set<number>();
  for (;;) {
    const hosts = await teepodsWithRoom(db, {
      team_id: member.team_id,
      wish: need,
      policy,
      except: seen,
      limit: HOSTS_READ,
      held_by: 'everyone',
    });
    if (hosts.length === 0) break;
    const images = await imagesOf(
      db,
      hosts.map(({ teepod_id }) => teepod_id),
    );
    const host = hosts.find(
      (one) =>
        services.some((kms) => canUseKms(one, kms)) &&
        images.some((image) => image.teepod_id === one.teepod_id && isUsableImage(image, {}, need.gpus > 0)),
    );
    if (host) return host.teepod_id;
    for (const { teepod_id } of hosts) seen.add(teepod_id);
  }
  full.set(who, [...(full.get(who) ?? []), need]);
  return undefined;
}

/** Holds the room for the team and emails the member, unless either has changed. One transaction, so that locks are short. */
function offer(round: Round, member: WaitingMember, need: Need, teepod_id: number): Promise<boolean> {
  const { db, outbox, billingEnforced, refused } = round;
  const { id, team_id } = member;
  return withTransaction(db, async (trx) => {
    // In the order of deployments: the team, then the host.
    await trx.selectFrom('teams').select('id').where('id', '=', team_id).forNoKeyUpdate().execute();
    if (!(await lockWait(trx, member))) return false;
    if ((await offerRefusal(trx, { team_id, need, billingEnforced })) !== null) {
      refused.add(id);
      return false;
    }
    await trx.selectFrom('teepods').select('id').where('id', '=', teepod_id).forNoKeyUpdate().execute();
    const [free] = await teepodCapacities(trx, { team_id, teepod_id, held_by: 'everyone' });
    if (!free || !fits(free, need.size) || free.gpus < need.gpus) return false;
    const room = { ...need.size, gpus: need.gpus };
    const until = await noteOffer(trx, { id, team_id, teepod_id, room, minutes: OFFER_MINUTES });
    await mail(trx, outbox, member, until);
    return true;
  });
}

function mail(trx: Tx, outbox: MailOutbox, member: WaitingMember, until: Date): Promise<void> {
  const { email, gpus, team_id, user_id, team_name, team_slug } = member;
  const about = { team_name, team_slug, until };
  const to = { to: email, user_id, team_id };
  return outbox.enqueue(
    trx,
    isSize(member)
      ? { ...to, template: 'room_free', data: { ...about, room: roomText(member) } }
      : { ...to, template: 'gpus_free', data: { ...about, gpus } },
  );
}
