import type { AppComposeInput, buildAppCompose } from '../../../../console/lib/compose/composeHash';
import { cvmNameProblem } from '../../../../console/lib/ids';
import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import { imagesOf } from '../../../db/catalog/catalog';
import type { FoundKms } from '../../../db/kms/kms';
import {
  teepodCapacities,
  teepodsWithRoom,
  teamQuota,
  type TeepodCapacity,
} from '../../../db/hosts/reservations';
import type { Db } from '../../../db/core/client';
import type { InstanceTypeRow } from '../../../db/catalog/instanceTypesTable';
import type { OsImageRow } from '../../../db/catalog/osImagesTable';
import type { CallerTeam } from '../../../domain/core/caller';
import { compareVersions } from '../../../domain/cvms/imageVersion';
import { hostConditions } from '../../../db/hosts/hostConditions';
import { takenPorts } from '../../../db/hosts/hostPorts';
import { placementPolicy } from '../../../db/platform/platformSettings';
import { ratesOf, type Rates } from '../../../domain/billing/pricing';
import { Problem } from '../../../domain/core/problem';
import {
  attachmentProblem,
  checkPorts,
  portTaken,
  unsupportedAttachment,
  type Attachments,
} from '../../../domain/hosts/attachments';
import { checkGuestFields, unsupportedField, unsupportedProblem } from '../../../domain/hosts/guestSupport';
import { canUseKms, isNamed, isUsableImage } from '../../../domain/hosts/placement';
import { whyClosed } from '../../../domain/hosts/placementChecks';
import {
  fits,
  rank,
  usesKms,
  type PlacementPolicy,
  type Size,
  type Wish,
} from '../../../domain/hosts/scheduler';
import { capacityRefusal, noHostRefusal, unsuitableRefusal, withTee } from './noHost';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { checkedAppCompose } from './checkedCompose';
import { composeInput, COMPOSE_FILE } from './composeInput';
import { kmsChoices } from './kmsChoices';
import { sizeOf } from './sizeOf';

export interface Wanted extends ProvisionCvm {
  /** Never on the built-in host. Not part of the API. */
  in_tee?: true;
}

export interface Plan {
  size: Size;
  attachments: Attachments;
  instance_type: InstanceTypeRow | null;
  rates: Rates;
  app_compose: ReturnType<typeof buildAppCompose>;
  compose: AppComposeInput;
  kms: FoundKms;
  /** Hosts with room and the image each would run, best first; perhaps not all of them. If empty, see `refusal`. */
  hosts: { host: TeepodCapacity; image: OsImageRow }[];
  /** Why no host has room now. */
  refusal: Problem | null;
  /** Hosts that are suitable apart from room. */
  suitable: TeepodCapacity[];
  wish: Wish;
  policy: PlacementPolicy;
}

/**
 * Computes everything a deployment needs before it reserves anything. Throws for errors that waiting can't
 * resolve.
 * @param tried hosts not to retry; they still count in a refusal
 */
export async function planDeploy(
  ctx: Context,
  body: Wanted,
  tried: ReadonlySet<number> = new Set(),
): Promise<Plan> {
  const { db } = ctx;
  const team = teamOf(ctx);
  const problem = cvmNameProblem(body.name);
  if (problem)
    throw new Problem('INVALID_REQUEST', {
      message: problem,
      details: [{ field: 'name', message: problem, value: body.name }],
    });
  const compose = composeInput(body);
  const app_compose = await checkedAppCompose(ctx, compose);
  const { size, gpus, instance_type } = await sizeOf(db, body);
  const attachments = {
    gpus,
    all_gpus: body.gpus?.attach_mode === 'all',
    ports: (body.ports ?? []).map(({ protocol, host_port, vm_port }) => ({ protocol, host_port, vm_port })),
  };
  checkPorts(attachments.ports);
  const wanted = body.teepod_id ?? body.node_id;
  const policy = await placementPolicy(db);
  const asked = { size, gpus, attachments, instance_type, app_compose, compose, wanted, tried, policy };
  if (wanted === undefined && body.in_tee !== true) {
    const choices = await kmsChoices(db, body, null);
    const plan = choices[0] && (await planOnFirst(db, team, body, asked, choices[0]));
    if (plan) return plan;
    return firstPlan(
      db,
      team,
      body,
      { ...asked, all: await teepodCapacities(db, { team_id: team.id }) },
      choices,
    );
  }
  const open = await teepodCapacities(db, { team_id: team.id, ...(wanted ? { teepod_id: wanted } : {}) });
  const all = body.in_tee === true ? withTee(open) : open;
  return firstPlan(db, team, body, { ...asked, all }, await kmsChoices(db, body, all));
}

/** Number of hosts tried before all others. */
const FIRST_HOSTS = 64;

/**
 * Plans on the first hosts with room, one of which usually fits. Null if none does. A refusal needs all hosts, so
 * nothing is computed for one here.
 */
async function planOnFirst(
  db: Db,
  team: CallerTeam,
  body: Wanted,
  asked: Omit<Asked, 'all'>,
  kms: FoundKms,
): Promise<Plan | null> {
  checkGuestFields(asked.compose, kms, asked.size.disk_gb, COMPOSE_FILE);
  const wish = { size: asked.size, gpus: asked.gpus, region: body.region };
  const { policy, tried } = asked;
  const all = await teepodsWithRoom(db, {
    team_id: team.id,
    wish,
    policy,
    except: tried,
    limit: FIRST_HOSTS,
  });
  if (all.length === 0) return null;
  const placed = await placesFor(db, team, body, { ...asked, all }, kms).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  return placed && placed.hosts.length > 0 ? planOf(asked, kms, placed, null) : null;
}

/** Plans with the first of these key services that has a host with room; otherwise with the first usable one. */
async function firstPlan(
  db: Db,
  team: CallerTeam,
  body: Wanted,
  asked: Asked,
  choices: readonly FoundKms[],
): Promise<Plan> {
  let refused: Plan | undefined;
  let failure: unknown;
  // Host and key service are chosen together: a host may be full, or its key service unsuitable for this app.
  for (const kms of choices) {
    try {
      const plan = await planWith(db, team, body, asked, kms);
      if (plan.hosts.length > 0) return plan;
      refused ??= plan;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failure ??= error;
    }
  }
  if (refused) return refused;
  throw failure;
}

interface Asked extends Pick<
  Plan,
  'size' | 'attachments' | 'instance_type' | 'app_compose' | 'compose' | 'policy'
> {
  gpus: number;
  wanted: number | undefined;
  /** Hosts open to the team. */
  all: TeepodCapacity[];
  tried: ReadonlySet<number>;
}

/** Plans a deployment with one of its possible key services. */
async function planWith(db: Db, team: CallerTeam, body: Wanted, asked: Asked, kms: FoundKms): Promise<Plan> {
  checkGuestFields(asked.compose, kms, asked.size.disk_gb, COMPOSE_FILE);
  if (asked.wanted && asked.all.length === 0) await explainMissing(db, team, asked.wanted);
  const placed = await placesFor(db, team, body, asked, kms);
  const refusal = placed.has_room
    ? null
    : ((asked.all.length === 0 ? await noHostRefusal(db, team.id) : placed.unsuitable) ??
      (await capacityRefusal(db, team.id, placed.suitable, placed.wish)));
  return planOf(asked, kms, placed, refusal);
}

interface Places extends Pick<Plan, 'hosts' | 'suitable' | 'wish'> {
  /** Why none of the hosts would be suitable even with room. */
  unsuitable: Problem | null;
  /** Whether any host has room, including tried ones. */
  has_room: boolean;
}

function planOf(
  { size, attachments, instance_type, app_compose, compose, policy }: Omit<Asked, 'all'>,
  kms: FoundKms,
  { hosts, suitable, wish }: Places,
  refusal: Problem | null,
): Plan {
  return {
    size,
    attachments,
    instance_type,
    rates: ratesOf(size, instance_type),
    app_compose,
    compose,
    kms,
    hosts,
    refusal,
    suitable,
    wish,
    policy,
  };
}

/** Returns the suitable hosts, best first. @throws {Problem} if none would be suitable even with room */
async function placesFor(
  db: Db,
  team: CallerTeam,
  body: Wanted,
  { size, gpus, attachments, compose, all, tried, policy }: Asked,
  kms: FoundKms,
): Promise<Places> {
  const ofKms = all.filter((host) => usesKms(host, kms.id));
  const placeable = ofKms.filter((host) => canUseKms(host, kms));
  if (placeable.length === 0 && ofKms.length > 0) throw noDevice();
  const onHosts = await imagesOf(
    db,
    placeable.map((host) => host.teepod_id),
  );
  const images = onHosts.filter(({ state }) => state !== 'retired');
  const wantedImages = images.filter((image) => isUsableImage(image, body, gpus > 0));
  if (images.length > 0 && wantedImages.length === 0 && refusesDev(body) && images.every((one) => one.is_dev))
    throw new Problem('IMAGE_NOT_FOUND', {
      message: 'The hosts available to your team only have development OS images.',
      suggestions: ['Ask an administrator of this server to add a production OS image to a host.'],
    });
  if (onHosts.length > 0 && wantedImages.length === 0) {
    const isRetired = onHosts.some((image) => isNamed(image, body) && image.state === 'retired');
    throw new Problem('IMAGE_NOT_FOUND', {
      message: isRetired
        ? `The OS image “${body.image}” is retired, so new CVMs can't use it.`
        : body.image
          ? `No host available to your team has the OS image “${body.image}”.`
          : 'No host available to your team has a matching OS image.',
      suggestions:
        images.length > 0
          ? [`Use one of ${[...new Set(images.map((image) => image.name))].slice(0, 10).join(', ')}.`]
          : ['Ask an administrator of this server to add an OS image to a host.'],
    });
  }
  const matching = supporting(compose, placeable, wantedImages);
  const withImage = await attaching(
    db,
    placeable.filter((host) => matching.some((image) => image.teepod_id === host.teepod_id)),
    attachments,
    { team_id: team.id, name: body.name },
  );
  const wish = { size, gpus, region: body.region };
  const ranked = rank(withImage, wish, policy);
  const hosts = ranked
    .filter(({ teepod_id }) => !tried.has(teepod_id))
    .map((host) => ({ host, image: newest(matching.filter((image) => image.teepod_id === host.teepod_id)) }));
  const unsuitable = unsuitableRefusal({ open: all, of_kms: ofKms, kms, has_image: onHosts.length > 0 });
  return { hosts, suitable: withImage, wish, unsuitable, has_room: ranked.length > 0 };
}

/** Rates of a planned CVM's type; one of the team's orders may cover a part. */
export const pricedType = ({ instance_type, rates }: Plan) =>
  instance_type && { id: instance_type.id, ...rates };

/** Returns the refusal if the team's own limits don't allow one more CVM of this size, else null. */
export async function quotaRefusal(db: Db, team_id: number, size: Size, more = 1): Promise<Problem | null> {
  const quota = await teamQuota(db, team_id);
  const left = {
    slots: quota.max_cvms - quota.cvms + (1 - more),
    vcpu: quota.max_vcpu - quota.vcpu,
    memory_mb: quota.max_memory_mb - quota.memory_mb,
    disk_gb: quota.max_disk_gb - quota.disk_gb,
  };
  if (fits(left, size)) return null;
  const which =
    left.slots < 1
      ? `CVMs: ${quota.cvms} of ${quota.max_cvms} used`
      : left.vcpu < size.vcpu
        ? `vCPU: ${quota.vcpu} of ${quota.max_vcpu} used`
        : left.memory_mb < size.memory_mb
          ? `memory: ${quota.memory_mb} of ${quota.max_memory_mb} MB used`
          : `disk: ${quota.disk_gb} of ${quota.max_disk_gb} GB used`;
  return new Problem('QUOTA_EXCEEDED', {
    message: `This exceeds the team's quota (limit: ${which}).`,
    suggestions: [
      'Delete a CVM you no longer need, choose a smaller size, or ask an administrator for a larger quota.',
    ],
  });
}

/** Returns the images that, on their hosts, support every field. @throws INCOMPATIBLE_CONFIG if none does */
function supporting<I extends OsImageRow & { teepod_id: number }>(
  compose: AppComposeInput,
  hosts: readonly TeepodCapacity[],
  images: I[],
): I[] {
  const byId = new Map(hosts.map((host) => [host.teepod_id, host]));
  const judged = images.flatMap((image) => {
    const host = byId.get(image.teepod_id);
    return host ? [{ image, problem: unsupportedField(compose, host, image) }] : [];
  });
  const able = judged.filter(({ problem }) => problem === null);
  if (able.length > 0 || judged.length === 0) return able.map(({ image }) => image);
  // The newest image gives the most useful error.
  const best = newest(images);
  const problem = judged.find(({ image }) => image === best)?.problem ?? judged[0]?.problem;
  if (problem) throw unsupportedProblem(problem, COMPOSE_FILE);
  return [];
}

/**
 * Returns the hosts that allow the attachments and have the ports free.
 * @throws INCOMPATIBLE_CONFIG, RESOURCE_NOT_AVAILABLE if there are hosts but none qualifies
 */
async function attaching(
  db: Db,
  hosts: TeepodCapacity[],
  attachments: Attachments,
  replaced: { team_id: number; name: string },
): Promise<TeepodCapacity[]> {
  const judged = hosts.map((host) => ({ host, unsupported: unsupportedAttachment(attachments, host) }));
  const able = judged.filter(({ unsupported }) => unsupported === null).map(({ host }) => host);
  const unsupported = judged[0]?.unsupported;
  if (able.length === 0 && unsupported) throw attachmentProblem(unsupported);
  const ids = able.map(({ teepod_id }) => teepod_id);
  const taken = await takenPorts(db, ids, attachments.ports, replaced);
  const open = able.filter(({ teepod_id }) => !taken.some((one) => one.teepod_id === teepod_id));
  const [first] = taken;
  const on = able.find(({ teepod_id }) => teepod_id === first?.teepod_id);
  if (open.length === 0 && first && on) throw portTaken(attachments.ports, first, on.teepod_name);
  return open;
}

/** Contracts allow devices by ID. */
const noDevice = () =>
  new Problem('INCOMPATIBLE_CONFIG', {
    message: 'No host of this key management service has a device ID, so no contract can allow it.',
    suggestions: ["Ask an administrator to enter the device ID of the host's machine."],
  });

async function explainMissing(db: Db, team: CallerTeam, teepod_id: number): Promise<never> {
  const [closed] = await teepodCapacities(db, { team_id: team.id, teepod_id, include_closed: true });
  const details = [{ field: 'teepod_id', value: teepod_id }];
  if (closed) {
    const met = await hostConditions(db, { teepod_id, team_id: team.id });
    const why = met && whyClosed(met);
    throw new Problem('NODE_NOT_FOUND', {
      message: `The host “${closed.teepod_name}” isn't accepting new CVMs${why ? ` because ${why}` : ''}.`,
      details,
    });
  }
  throw new Problem('TEEPOD_NOT_ACCESSIBLE', {
    message: `Your team has no access to host ${teepod_id}.`,
    details,
  });
}

const refusesDev = ({ image, prefer_dev }: ProvisionCvm) => image === undefined && prefer_dev === false;

/** Prefers recommended images, then production ones, then the newest. */
function newest<I extends OsImageRow>(images: I[]): I {
  const sorted = [...images].sort(
    (a, b) =>
      Number(b.state === 'recommended') - Number(a.state === 'recommended') ||
      Number(a.is_dev) - Number(b.is_dev) ||
      compareVersions(b.version, a.version),
  );
  return sorted[0] as I;
}
