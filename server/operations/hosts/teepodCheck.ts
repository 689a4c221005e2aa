import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { formatMb } from '../../../console/lib/cvms/sizes';
import type { AdminCheck, AdminTeepodCheck } from '../../../generated/api/types.gen';
import { KmsKeyError, verifyEnvKey } from '../../../console/lib/secrets/kmsKey';
import { findKmsById } from '../../db/hosts/fleet';
import { pinsOf } from '../../domain/kms/kmsKeys';
import { gatewayBase } from '../../domain/network/gatewayBase';
import { VmmError, type TeepodEndpoint, type VmmDriver, type VmmMeta } from '../../drivers/vmm';
import type { Context } from '../types';
import { driverToAsk } from './probe';
import { counted } from '../../../console/lib/texts/count';

/** Timeout per query; a host on another continent answers well within it. */
const ANSWER_MS = 6_000;
const MAX_SKEW_MS = 5_000;
/** Any app will do: only the key behind the signature matters. */
const SOME_APP = '0'.repeat(40);

export interface Wanted {
  kms_id: number | null;
  max_cvms: number | null;
  max_vcpu: number | null;
  max_memory_mb: number | null;
  max_disk_gb: number | null;
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
const skipped: Result = { state: 'skipped', found: 'Skipped, because a check above failed.', advice: null };

let checks = 0;

/**
 * Checks everything that matters on a host before CVMs are placed there. Stores nothing, and shows host
 * output as text only; a credential never comes back, as the driver removes it from every message.
 */
export async function checkHost(
  ctx: Context,
  endpoint: Omit<TeepodEndpoint, 'id'>,
  wanted: Wanted,
): Promise<AdminTeepodCheck> {
  // Teepod ids are positive: a check never replaces the driver of live CVMs, nor one of a probe.
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
  results.reachable = passed(`${driver.endpoint} responded in ${Date.now() - began} ms.`);
  const { version, warnings, update_vm, api_protected } = capabilities;
  results.version = update_vm
    ? passed(`dstack-vmm ${version}.`)
    : warning(
        `dstack-vmm ${version} is older than 0.5.6 and can't change a VM's key service or gateway.`,
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
  // Every dstack-vmm has these two; a proxy's or another program's 404 isn't an old version.
  if (isMissing(images) && isMissing(page)) {
    const other = {
      reachable: failed(`The server at ${driver.endpoint} isn't a dstack-vmm.`, NOT_A_HOST),
    };
    return report(driver, other, null, [], 0, null);
  }
  const names = images instanceof Error ? [] : images.map((image) => image.name).sort();
  results.images =
    images instanceof Error
      ? failed(
          images.message,
          'Check the image folder in its vmm.toml ([image] path; before 0.6, image_path). It must exist.',
        )
      : names.length === 0
        ? failed(
            'The host has no OS images, so no CVM can start on it.',
            'Copy an image to its image folder, or pull one.',
          )
        : passed(
            `${names.length === 1 ? 'One image' : `${names.length} images`}: ${names.slice(0, 10).join(', ')}.`,
          );
  const count = gpus instanceof Error ? 0 : gpus.gpus.length;
  const free = gpus instanceof Error ? 0 : gpus.gpus.filter((gpu) => gpu.is_free).length;
  results.gpus =
    gpus instanceof Error
      ? warning(gpus.message, 'CVMs get no GPUs until the host lists them.')
      : passed(
          count === 0
            ? 'The host has no GPUs.'
            : `${free} of ${counted(count, ['GPU', 'GPUs'])} ${count === 1 ? 'is' : 'are'} free.`,
        );
  results.capacity = capacityOf(meta, wanted);
  results.ports =
    page instanceof Error
      ? warning(page.message, "This server can't tell whether CVMs can publish ports on this host.")
      : page.port_mapping_enabled
        ? passed(
            api_protected
              ? "CVMs can publish ports, and the host refuses ports already in use. It doesn't report its port range."
              : "CVMs can publish ports. Before 0.6, the host doesn't detect when two VMs use the same one.",
          )
        : gatewayed(meta)
          ? passed("CVMs can't publish ports on the host and are reached through its gateway.")
          : warning(
              "The host publishes no ports and has no gateway, so its CVMs can't be reached.",
              'In its vmm.toml, enable [cvm.port_mapping] with a range, or set base_domain in [gateway].',
            );
  results.clock = clockOf(driver.clockSkewMs());
  results.kms = await kmsCheck(ctx, driver, wanted.kms_id, how);
  return report(driver, results, version, names, count, meta instanceof Error ? null : meta);
}

const NOT_A_HOST =
  'Enter the base URL of dstack-vmm, without a path such as /prpc, and check the port: another program may use it.';
const isMissing = (reply: unknown) => reply instanceof VmmError && reply.kind === 'unsupported';

function unanswered(driver: VmmDriver, error: Error): Partial<Record<Name, Result>> {
  const refused = error instanceof VmmError && error.kind === 'unauthorized';
  if (!refused)
    return {
      reachable: failed(
        error.message,
        'Check that the address is right, the host is up and its port is open to this server. The host may also be behind a proxy that requires a client certificate.',
      ),
    };
  return {
    reachable: passed(`${driver.endpoint} responds.`),
    auth: failed(
      error.message,
      'Enter the [auth] token from its vmm.toml, or user:password from its htpasswd_file. Before 0.6, [auth] protects only /logs, and the credential is that of the proxy in front of it.',
    ),
  };
}

function authOf(
  endpoint: Omit<TeepodEndpoint, 'id'>,
  api_protected: boolean,
  warnings: readonly string[],
): Result {
  if (warnings.length > 0)
    return warning(warnings.join(' '), "Fix this before placing other teams' CVMs on the host.");
  if (endpoint.credential_kind === 'none')
    return passed('No credential is used. Only this machine can reach the address.');
  return passed(
    api_protected
      ? 'The credential was accepted.'
      : 'The request was accepted, but this version ignores credentials.',
  );
}

function capacityOf(meta: VmmMeta | Error, wanted: Wanted): Result {
  const said = meta instanceof Error ? null : meta.resources;
  const nothing = (
    [
      ['Max CVMs', wanted.max_cvms],
      ['Max vCPU', wanted.max_vcpu],
      ['Max memory', wanted.max_memory_mb],
      ['Max disk', wanted.max_disk_gb],
    ] as const
  ).filter(([, value]) => value === 0);
  if (nothing.length > 0)
    return failed(
      `${nothing.map(([label]) => label).join(', ')}: 0, so no CVM fits on this host.`,
      "Enter what CVMs may use. Hosts don't report their disk size.",
    );
  if (!said)
    return warning(
      "It doesn't report its capacity.",
      'Enter CVMs, vCPU, memory and disk yourself. If you enter more than the host has, CVMs fail to start.',
    );
  const { max_cvms } = wanted;
  const most = said.max_cvm_number;
  if (max_cvms !== null && most > 0 && max_cvms > most)
    return warning(
      `Max CVMs is ${max_cvms}, but the host runs at most ${most}.`,
      "The host's limit applies. Lower Max CVMs, or raise the limit on the host.",
    );
  const pairs = [
    [(n: number) => `${n} vCPU`, wanted.max_vcpu, said.max_allocable_vcpu],
    [(n: number) => `${formatMb(n)} of memory`, wanted.max_memory_mb, said.max_allocable_memory_in_mb],
  ] as const;
  const over = pairs.filter(([, given, has]) => given !== null && has > 0 && given > has);
  if (over.length > 0)
    return warning(
      over
        .map(([text, given, has]) => `${text(given ?? 0)} overcommits the host, which reports ${text(has)}.`)
        .join(' '),
      "The host doesn't enforce these limits. Lower the values unless you want to overcommit.",
    );
  if (wanted.max_disk_gb === null)
    return warning(
      'Max disk is empty, so no CVM fits on this host yet.',
      "Enter what CVMs may use. Hosts don't report their disk size.",
    );
  return passed(
    `${counted(said.max_cvm_number, ['CVM', 'CVMs'])}, ${said.max_allocable_vcpu} vCPU, ${formatMb(said.max_allocable_memory_in_mb)} of memory. The host doesn't report its disk size.`,
  );
}

const gatewayed = (meta: VmmMeta | Error) => !(meta instanceof Error) && gatewayBase(meta.gateway) !== null;

function clockOf(skew: number | null): Result {
  if (skew === null) return warning("The host doesn't report its time.", 'Check its clock yourself.');
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= MAX_SKEW_MS) return passed("Within 5 seconds of this server's clock.");
  const text = `The host's clock is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} this server's.`;
  const advice = 'Synchronize it with a time server: certificates and attestation depend on the time.';
  return Math.abs(skew) > 60_000 ? failed(text, advice) : warning(text, advice);
}

/** The host forwards the request to its KMS; the answer must be signed with the key pinned here. */
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
      `Its key service returned no keys: ${key.message}`,
      'Check kms_url and, in [cvm], kms_urls in its vmm.toml, and that the service is up. CVMs with secrets need it to start.',
    );
  if (!kms)
    return warning(
      "Its key service responds, but no key service is selected here, so its keys can't be checked.",
      "Select this host's key service. CVMs are only placed on hosts that use theirs.",
    );
  const pins = pinsOf(kms);
  if (pins.length === 0)
    return warning(
      `“${kms.slug}” has no pinned key to compare with.`,
      'Pin the key of that key service first.',
    );
  try {
    const signer = verifyEnvKey({
      public_key: key.public_key,
      app_id: SOME_APP,
      pinned_k256_pubkey: pins,
      signature: key.signature,
    });
    const which = pins.length === 1 ? 'the pinned' : signer === pins[0] ? 'the current' : 'the next';
    return passed(`Its key service responds and signs with ${which} key of “${kms.slug}”.`);
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    return failed(
      `Its key service doesn't sign with the pinned key of “${kms.slug}” (${error.code}).`,
      'Select the key service this host uses. If it is already selected, find out what responds in its place before you deploy anything here.',
    );
  }
}

/** Only a client disconnect ends the whole check. */
function asError(ctx: Context, error: unknown): Error {
  ctx.signal.throwIfAborted();
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Error(`No response within ${ANSWER_MS / 1000} seconds.`);
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
    return { name, title: TITLES[name], state, found: cutWhole(found, 2000), advice };
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
    os_images: os_images.slice(0, 500).map((name) => cutWhole(name, 120)),
    gpus,
  };
}
