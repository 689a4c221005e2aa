import type { AdminCheck, AdminTeepodCheck } from '../../../../generated/api/types.gen';
import { KmsKeyError, verifyEnvKey } from '../../../../console/lib/kmsKey';
import { findKmsById } from '../../../db/fleet';
import { gatewayBase } from '../../../domain/gatewayBase';
import { VmmError, type TeepodEndpoint, type VmmDriver, type VmmMeta } from '../../../drivers/vmm';
import type { Context } from '../../types';
import { driverToAsk } from '../probe';

/** Of each question; a host on another continent answers well within it. */
const ANSWER_MS = 6_000;
const MOST_SKEW_MS = 5_000;
/** Any app will do: only whose signature is under the key matters. */
const SOME_APP = '0'.repeat(40);

export interface Wanted {
  kms_id: number | null;
  max_cvms: number | null;
  max_vcpu: number | null;
  max_memory_mb: number | null;
}

type Result = Omit<AdminCheck, 'name' | 'title'>;
type Name = AdminCheck['name'];

const TITLES: Readonly<Record<Name, string>> = {
  reachable: 'Reachable',
  auth: 'Credential',
  version: 'Version',
  images: 'OS images',
  gpus: 'GPUs',
  kms: 'Key service',
  capacity: 'Capacity',
  clock: 'Clock',
  ports: 'Port ranges',
};

const passed = (found: string): Result => ({ state: 'passed', found, advice: null });
const warning = (found: string, advice: string): Result => ({ state: 'warning', found, advice });
const failed = (found: string, advice: string): Result => ({ state: 'failed', found, advice });
const skipped: Result = { state: 'skipped', found: 'Not asked: the host did not answer.', advice: null };

let checks = 0;

/**
 * Asks a host about everything that matters before CVMs are placed on it. Nothing is kept, and what a host says is shown
 * as text only: a credential never comes back, as the driver takes it out of every message.
 */
export async function checkHost(
  ctx: Context,
  endpoint: Omit<TeepodEndpoint, 'id'>,
  wanted: Wanted,
): Promise<AdminTeepodCheck> {
  // Ids of teepods are positive: a check never replaces the driver that live CVMs use, nor one of a probe.
  const id = -1_000_001 - (checks = (checks + 1) % 1_000_000);
  const driver = driverToAsk(ctx, { ...endpoint, id });
  try {
    return await look(ctx, driver, endpoint, wanted);
  } finally {
    ctx.vmm.drop(id);
  }
}

async function look(
  ctx: Context,
  driver: VmmDriver,
  endpoint: Omit<TeepodEndpoint, 'id'>,
  wanted: Wanted,
): Promise<AdminTeepodCheck> {
  const began = Date.now();
  const how = () => ({ signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]) });
  const capabilities = await driver.capabilities(how()).catch((error: unknown) => asError(ctx, error));
  const results: Partial<Record<Name, Result>> = {};
  if (capabilities instanceof Error) {
    Object.assign(results, unanswered(driver, capabilities));
    return report(driver, results, null, [], 0, null);
  }
  results.reachable = passed(`${driver.endpoint} answers, in ${Date.now() - began} ms.`);
  const { version, warnings, update_vm, api_protected } = capabilities;
  results.version = update_vm
    ? passed(`dstack-vmm ${version}.`)
    : warning(
        `dstack-vmm ${version} is older than 0.5.6: it cannot change key services and gateways of a VM.`,
        'Upgrade it to 0.5.11 or later.',
      );
  results.auth = authOf(endpoint, api_protected, warnings);
  const [images, gpus, page, meta] = await Promise.all([
    driver.listImages(how()).catch((error: unknown) => asError(ctx, error)),
    driver.listGpus(how()).catch((error: unknown) => asError(ctx, error)),
    driver
      .status({ brief: true, page: 1, page_size: 1 }, how())
      .catch((error: unknown) => asError(ctx, error)),
    driver.getMeta(how()).catch((error: unknown) => asError(ctx, error)),
  ]);
  const names = images instanceof Error ? [] : images.map((image) => image.name).sort();
  results.images =
    images instanceof Error
      ? failed(images.message, 'Look at image_path in its vmm.toml: the folder has to exist.')
      : names.length === 0
        ? failed(
            'It has no OS image, so nothing can be started on it.',
            'Put an image into its image folder, or pull one.',
          )
        : passed(
            `${names.length === 1 ? 'One image' : `${names.length} images`}: ${names.slice(0, 10).join(', ')}.`,
          );
  const count = gpus instanceof Error ? 0 : gpus.gpus.length;
  const free = gpus instanceof Error ? 0 : gpus.gpus.filter((gpu) => gpu.is_free).length;
  results.gpus =
    gpus instanceof Error
      ? warning(gpus.message, 'Its CVMs get no GPUs until it lists them.')
      : passed(count === 0 ? 'It has none to give.' : `${count} of which ${free} are free.`);
  results.capacity = capacityOf(meta, wanted);
  results.ports =
    page instanceof Error
      ? warning(page.message, 'Whether ports of CVMs can be published on it is not known.')
      : page.port_mapping_enabled
        ? passed(
            api_protected
              ? 'Ports can be published on it; it refuses one that another VM has. It does not say from which range.'
              : 'Ports can be published on it; before 0.6 it does not notice when two VMs want the same one.',
          )
        : gatewayed(meta)
          ? passed('Ports are not published on the host itself; its gateway leads to CVMs.')
          : warning(
              'It publishes no ports and names no gateway, so its CVMs cannot be reached.',
              'Enable [cvm.port_mapping] with a range, or name a gateway in its vmm.toml.',
            );
  results.clock = clockOf(driver.clockSkewMs());
  results.kms = await kmsCheck(ctx, driver, wanted.kms_id, how);
  return report(driver, results, version, names, count, meta instanceof Error ? null : meta);
}

function unanswered(driver: VmmDriver, error: Error): Partial<Record<Name, Result>> {
  const refused = error instanceof VmmError && error.kind === 'unauthorized';
  if (!refused)
    return {
      reachable: failed(
        error.message,
        'Is the address right, the host up, and its port open for this server? The host may also be behind a proxy that asks for a certificate.',
      ),
    };
  return {
    reachable: passed(`${driver.endpoint} answers.`),
    auth: failed(
      error.message,
      'Give the token of [auth] in its vmm.toml, or user:password of its htpasswd file.',
    ),
  };
}

function authOf(
  endpoint: Omit<TeepodEndpoint, 'id'>,
  api_protected: boolean,
  warnings: readonly string[],
): Result {
  if (warnings.length > 0)
    return warning(warnings.join(' '), 'Change that before CVMs of others are placed on it.');
  if (endpoint.credential_kind === 'none')
    return passed('It is asked without a credential, on an address that only this machine can reach.');
  return passed(
    api_protected
      ? 'It took the credential.'
      : 'It took the request; a credential is not looked at by this version.',
  );
}

function capacityOf(meta: VmmMeta | Error, wanted: Wanted): Result {
  const said = meta instanceof Error ? null : meta.resources;
  if (!said)
    return warning(
      'It does not say how much it can give.',
      'Enter CVMs, vCPU, memory and disk yourself; more than it has makes starts fail.',
    );
  const pairs = [
    ['CVMs', wanted.max_cvms, said.max_cvm_number],
    ['vCPU', wanted.max_vcpu, said.max_allocable_vcpu],
    ['MB of memory', wanted.max_memory_mb, said.max_allocable_memory_in_mb],
  ] as const;
  const over = pairs.filter(([, given, has]) => given !== null && has > 0 && given > has);
  if (over.length > 0)
    return warning(
      over
        .map(([what, given, has]) => `${given} ${what} would be given away, it says it has ${has}.`)
        .join(' '),
      'The host does not refuse more than it has: lower the figures unless that is wanted.',
    );
  return passed(
    `${said.max_cvm_number} CVMs, ${said.max_allocable_vcpu} vCPU, ${said.max_allocable_memory_in_mb} MB of memory. How much disk it has it never says.`,
  );
}

const gatewayed = (meta: VmmMeta | Error) => !(meta instanceof Error) && gatewayBase(meta.gateway) !== null;

function clockOf(skew: number | null): Result {
  if (skew === null) return warning('It does not tell its time.', 'Compare its clock yourself.');
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= MOST_SKEW_MS) return passed('It shows our time, to within 5 seconds.');
  const text = `Its clock is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} ours.`;
  const advice = 'Let it follow a time server: certificates and attestations are judged by the time.';
  return Math.abs(skew) > 60_000 ? failed(text, advice) : warning(text, advice);
}

/** The host passes the question on to its KMS; whoever answers must sign with the key that is pinned here. */
export async function kmsCheck(
  ctx: Context,
  driver: VmmDriver,
  kms_id: number | null,
  how: () => { signal: AbortSignal },
): Promise<Result> {
  const kms = kms_id === null ? undefined : await findKmsById(ctx.db, kms_id);
  const key = await driver
    .getAppEnvEncryptPubKey(SOME_APP, how())
    .catch((error: unknown) => asError(ctx, error));
  if (key instanceof Error)
    return failed(
      `Its key service gives no keys: ${key.message}`,
      'Look at kms_url in its vmm.toml, and whether that service is up: without it no CVM with secrets starts.',
    );
  if (!kms)
    return warning(
      'Its key service answers, but no key service is chosen here, so nothing says whose keys they must be.',
      'Choose the key service of this host: CVMs are placed only where theirs is.',
    );
  if (kms.k256_pubkey === null)
    return warning(
      `“${kms.slug}” has no pinned key to compare with.`,
      'Pin the key of that key service first.',
    );
  try {
    verifyEnvKey({
      public_key: key.public_key,
      app_id: SOME_APP,
      pinned_k256_pubkey: kms.k256_pubkey,
      signature: key.signature,
    });
    return passed(`Its key service answers and signs with the pinned key of “${kms.slug}”.`);
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    return failed(
      `Its key service does not sign with the pinned key of “${kms.slug}” (${error.code}).`,
      'Choose the key service this host really uses. If it is this one, find out who answers in its place before anything is placed here.',
    );
  }
}

/** Only the client going away ends the whole check. */
function asError(ctx: Context, error: unknown): Error {
  ctx.signal.throwIfAborted();
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Error(`No answer within ${ANSWER_MS / 1000} seconds.`);
  if (error instanceof VmmError) return error;
  throw error;
}

function report(
  driver: VmmDriver,
  results: Partial<Record<Name, Result>>,
  version: string | null,
  os_images: string[],
  gpus: number,
  meta: VmmMeta | null,
): AdminTeepodCheck {
  const list = (Object.keys(TITLES) as Name[]).map((name): AdminCheck => {
    const { state, found, advice } = results[name] ?? skipped;
    return { name, title: TITLES[name], state, found: found.slice(0, 2000), advice };
  });
  const said = meta?.resources;
  return {
    endpoint: driver.endpoint,
    ok: list.every(({ state }) => state !== 'failed'),
    checked_at: new Date().toISOString(),
    checks: list,
    version: version?.slice(0, 64) ?? null,
    gateway_base_domain: gatewayBase(meta?.gateway),
    max_cvms: said?.max_cvm_number ?? null,
    max_vcpu: said?.max_allocable_vcpu ?? null,
    max_memory_mb: said?.max_allocable_memory_in_mb ?? null,
    os_images: os_images.slice(0, 500).map((name) => name.slice(0, 120)),
    gpus,
  };
}
