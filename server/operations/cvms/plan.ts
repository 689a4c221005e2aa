import { analyseCompose } from '../../../console/lib/composeFile';
import {
  AppComposeError,
  buildAppCompose,
  composeSize,
  type AppComposeInput,
} from '../../../console/lib/composeHash';
import { cvmNameProblem } from '../../../console/lib/ids';
import type { ProvisionCvm } from '../../../generated/api/types.gen';
import { imagesOf, listActiveInstanceTypes } from '../../db/catalogue';
import { findKms } from '../../db/kms';
import { teepodCapacities, teamUsage, type TeepodCapacity } from '../../db/reservations';
import type { Db } from '../../db/client';
import type { InstanceTypeRow, KmsRow, OsImageRow } from '../../db/schema';
import type { CallerTeam } from '../../domain/caller';
import { compareVersions } from '../../domain/imageVersion';
import { customHourlyRate } from '../../domain/pricing';
import { Problem } from '../../domain/problem';
import { fits, rank, refusal, type Size } from '../../domain/scheduler';

export interface Plan {
  size: Size;
  gpus: number;
  instance_type: InstanceTypeRow | null;
  hourly_rate_micros: number;
  app_compose: ReturnType<typeof buildAppCompose>;
  compose: AppComposeInput;
  kms: KmsRow;
  /** Hosts it fits on with the image each would run, best first; may be empty: see `refusal`. */
  hosts: { host: TeepodCapacity; image: OsImageRow }[];
  /** Why it fits nowhere now. */
  refusal: Problem | null;
}

/** Everything a deployment needs to know before it takes anything. Throws for what no other moment would cure. */
export async function planDeploy(db: Db, team: CallerTeam, body: ProvisionCvm): Promise<Plan> {
  const problem = cvmNameProblem(body.name);
  if (problem)
    throw new Problem('INVALID_REQUEST', {
      message: problem,
      details: [{ field: 'name', message: problem, value: body.name }],
    });
  const compose = composeInput(body);
  const app_compose = checkedAppCompose(compose);
  const { size, gpus, instance_type } = await sizeOf(db, body);
  const kms = await kmsOf(db, body);
  const wanted = body.teepod_id ?? body.node_id;
  const all = await teepodCapacities(db, { team_id: team.id, ...(wanted ? { teepod_id: wanted } : {}) });
  if (wanted && all.length === 0) await explainMissing(db, team, wanted);
  const ofKms = all.filter((host) => host.kms_id === kms.id);
  const images = await imagesOf(
    db,
    ofKms.map((host) => host.teepod_id),
  );
  const matching = images.filter((image) => isWanted(image, body, gpus > 0));
  if (images.length > 0 && matching.length === 0) {
    throw new Problem('IMAGE_NOT_FOUND', {
      message: body.image
        ? `No host you may use has the OS image “${body.image}”.`
        : 'No host you may use has a matching OS image.',
      suggestions: [`Use one of ${[...new Set(images.map((image) => image.name))].slice(0, 10).join(', ')}.`],
    });
  }
  const withImage = ofKms.filter((host) => matching.some((image) => image.teepod_id === host.teepod_id));
  const wish = { size, gpus, region: body.region };
  const hosts = rank(withImage, wish).map((host) => ({
    host,
    image: newest(matching.filter((image) => image.teepod_id === host.teepod_id)),
  }));
  return {
    size,
    gpus,
    instance_type,
    hourly_rate_micros: instance_type?.hourly_rate_micros ?? customHourlyRate(size),
    app_compose,
    compose,
    kms,
    hosts,
    refusal: hosts.length > 0 ? null : refusal(withImage, wish),
  };
}

/** Whether the team's own limits allow one more CVM of this size. */
export async function quotaRefusal(db: Db, team_id: number, size: Size, more = 1): Promise<Problem | null> {
  const limits = await db
    .selectFrom('teams')
    .select(['max_cvms', 'max_vcpu', 'max_memory_mb', 'max_disk_gb'])
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow();
  const used = await teamUsage(db, team_id);
  const left = {
    slots: limits.max_cvms - used.cvms + (1 - more),
    vcpu: limits.max_vcpu - used.vcpu,
    memory_mb: limits.max_memory_mb - used.memory_mb,
    disk_gb: limits.max_disk_gb - used.disk_gb,
  };
  if (fits(left, size)) return null;
  const which =
    left.slots < 1
      ? `CVMs: ${used.cvms} of ${limits.max_cvms} used`
      : left.vcpu < size.vcpu
        ? `vCPU: ${used.vcpu} of ${limits.max_vcpu} used`
        : left.memory_mb < size.memory_mb
          ? `memory: ${used.memory_mb} of ${limits.max_memory_mb} MB used`
          : `disk: ${used.disk_gb} of ${limits.max_disk_gb} GB used`;
  return new Problem('QUOTA_EXCEEDED', {
    message: `The team's quota does not allow it (limit: ${which}).`,
    suggestions: [
      'Delete a CVM you no longer need, choose a smaller size, or ask an administrator for a larger quota.',
    ],
  });
}

function composeInput(body: ProvisionCvm): AppComposeInput {
  const file = body.compose_file;
  const docker_compose_file = file.docker_compose_file ?? '';
  if (file.runner === 'bash' || file.bash_script || file.init_script) {
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: 'Only the docker-compose runner is offered; bash and init scripts are not.',
      details: [{ field: 'compose_file.runner', value: file.runner ?? 'bash' }],
    });
  }
  if (docker_compose_file.trim() === '')
    throw new Problem('COMPOSE_FILE_REQUIRED', {
      details: [{ field: 'compose_file.docker_compose_file', message: 'It is empty.' }],
    });
  return {
    name: file.name || body.name,
    docker_compose_file,
    pre_launch_script: file.pre_launch_script,
    allowed_envs: file.allowed_envs ?? body.env_keys ?? [],
    kms_enabled: file.kms_enabled,
    gateway_enabled: file.gateway_enabled ?? file.tproxy_enabled,
    public_logs: file.public_logs,
    public_sysinfo: file.public_sysinfo,
    public_tcbinfo: file.public_tcbinfo,
    secure_time: file.secure_time,
    storage_fs: file.storage_fs,
  };
}

/** The exact bytes the guest will measure, after the checks that would otherwise fail in the guest. */
export function checkedAppCompose(compose: AppComposeInput): ReturnType<typeof buildAppCompose> {
  const { bytes, limit, fits: small } = composeSize(compose.docker_compose_file, compose.pre_launch_script);
  if (!small) {
    throw new Problem('INVALID_COMPOSE_FILE', {
      message: `Compose file and pre-launch script have ${bytes} bytes together; at most ${limit} are allowed.`,
      details: [{ field: 'docker_compose_file' }],
    });
  }
  const errors = analyseCompose(compose.docker_compose_file).findings.filter(
    (finding) => finding.severity === 'error',
  );
  if (errors.length > 0) {
    throw new Problem('INVALID_COMPOSE_FILE', {
      message: `The compose file is not valid: line ${errors[0]?.line}, column ${errors[0]?.column}: ${errors[0]?.message}`,
      details: errors.slice(0, 20).map((finding) => ({
        field: 'docker_compose_file',
        message: `line ${finding.line}, column ${finding.column}: ${finding.message}`,
      })),
    });
  }
  try {
    return buildAppCompose(compose);
  } catch (error) {
    if (!(error instanceof AppComposeError)) throw error;
    throw new Problem('INVALID_COMPOSE_FILE', {
      message: error.message,
      details: [{ field: error.field, message: error.message }],
    });
  }
}

async function sizeOf(
  db: Db,
  body: ProvisionCvm,
): Promise<{ size: Size; gpus: number; instance_type: InstanceTypeRow | null }> {
  const types = await listActiveInstanceTypes(db);
  const custom = body.vcpu !== undefined || body.memory !== undefined;
  const id = body.instance_type ?? (custom ? undefined : 'tdx.small');
  const found = types.find((type) => type.id === id);
  if (id && !found) {
    throw new Problem('INSTANCE_TYPE_NOT_FOUND', {
      details: [
        { field: 'instance_type', value: id, message: `Instance type “${id}” is not in the catalogue` },
      ],
      suggestions: [`Use one of ${types.map((type) => type.id).join(', ')}.`],
    });
  }
  const size = {
    vcpu: body.vcpu ?? found?.vcpu ?? 1,
    memory_mb: body.memory ?? found?.memory_mb ?? 2048,
    disk_gb: body.disk_size ?? found?.default_disk_size_gb ?? 20,
  };
  const asListed = found && size.vcpu === found.vcpu && size.memory_mb === found.memory_mb;
  const gpus = found?.requires_gpu ? Math.max(1, found.gpu_count) : 0;
  // A GPU has a price only as part of its instance type.
  if (gpus > 0 && !asListed)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: `${found?.id} has ${found?.vcpu} vCPU and ${found?.memory_mb} MB of memory; with a GPU these cannot be chosen.`,
      details: [{ field: body.vcpu === undefined ? 'memory' : 'vcpu' }],
    });
  return { size, gpus, instance_type: asListed ? found : null };
}

async function kmsOf(db: Db, body: ProvisionCvm): Promise<KmsRow> {
  const name = body.kms_id ?? body.kms ?? 'phala';
  const kms = await findKms(db, name);
  if (!kms) {
    throw new Problem('KMS_NOT_FOUND', {
      message: `No key management service “${name.toLowerCase()}” is connected to this server.`,
      details: [{ field: body.kms_id ? 'kms_id' : 'kms', value: name }],
      suggestions: ['List them with GET /kms (phala kms list), or leave the field out.'],
    });
  }
  if (kms.state !== 'active')
    throw new Problem('KMS_NOT_FOUND', {
      message: `The key management service “${kms.slug}” is ${kms.state} and takes no new apps.`,
      details: [{ field: body.kms_id ? 'kms_id' : 'kms', value: name }],
    });
  if (kms.chain_id !== null)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message:
        'This key management service authorises apps on chain; deploying to it is not offered by this server yet.',
    });
  return kms;
}

async function explainMissing(db: Db, team: CallerTeam, teepod_id: number): Promise<never> {
  const [closed] = await teepodCapacities(db, { team_id: team.id, teepod_id, include_closed: true });
  const details = [{ field: 'teepod_id', value: teepod_id }];
  if (closed)
    throw new Problem('NODE_NOT_FOUND', {
      message: `The host “${closed.teepod_name}” takes no new CVMs now${closed.reachable ? '' : ': it does not answer'}.`,
      details,
    });
  throw new Problem('TEEPOD_NOT_ACCESSIBLE', {
    message: `There is no host ${teepod_id} that your team may use.`,
    details,
  });
}

/** Images with the GPU's driver are for CVMs that have one, and the other way round unless somebody asks for one by name. */
function isWanted(image: OsImageRow, body: ProvisionCvm, with_gpu: boolean): boolean {
  if (image.requires_gpu && !with_gpu) return false;
  if (body.image) return image.name === body.image || image.slug === body.image;
  if (with_gpu && !image.requires_gpu) return false;
  return image.is_dev === (body.prefer_dev === true) || body.prefer_dev === undefined;
}

/** One that is recommended before others; of those the production ones, and of these the newest. */
function newest(images: OsImageRow[]): OsImageRow {
  const sorted = [...images].sort(
    (a, b) =>
      Number(b.state === 'recommended') - Number(a.state === 'recommended') ||
      Number(a.is_dev) - Number(b.is_dev) ||
      compareVersions(b.version, a.version),
  );
  return sorted[0] as OsImageRow;
}
