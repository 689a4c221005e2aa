import type { LookupFunction } from 'node:net';
import type { ZodType } from 'zod';
import { AgentLogs } from './agentLogs';
import { capabilitiesOf } from './capabilities';
import {
  VmmError,
  type CallOptions,
  type VmChange,
  type VmmCapabilities,
  type VmmDriver,
  type VmmLimits,
  type VmmOptions,
  type VmSpec,
} from './index';
import { withoutHeartbeats } from './logFilter';
import * as schema from './schemas';
import { Transport, type OpenStream } from './transport';

export const defaultLimits: VmmLimits = {
  read_ms: 15_000,
  info_ms: 10_000,
  write_ms: 15_000,
  slow_write_ms: 120_000,
  connect_ms: 3_000,
  log_silence_ms: 150_000,
  in_flight: 16,
  streams: 256,
  reply_bytes: 64 * 1024 * 1024,
};

const CAPABILITIES_TTL_MS = 60_000;
/** The only dstack-vmm without Version is older than every feature we check. */
const BEFORE_VERSION = { version: '0.0.0', rev: '' };

/**
 * Driver over dstack-vmm's JSON mode.
 * @param seams.lookup name resolution for tests
 * @throws Error if the URL, credential or certificate options are invalid
 */
export function createVmmDriver(options: VmmOptions, seams: { lookup?: LookupFunction } = {}): VmmDriver {
  const limits = { ...defaultLimits, ...options.limits };
  const transport = new Transport({
    url: options.url,
    service: 'dstack-vmm',
    credential: options.credential,
    tls: options.tls,
    lookup: seams.lookup,
    limits,
    errorClass: VmmError,
  });
  const agentLogs = new AgentLogs({
    transport,
    limits,
    through: options.agent ?? 'gateway',
    gatewayTls: options.gateway_tls,
    lookup: seams.lookup,
  });

  const call = <T>(path: string, method: string, body: object, reply: ZodType<T>, how: How): Promise<T> =>
    transport.call({ method, path: `${path}/${method}?json`, body, reply, ...how });
  const read = <T>(method: string, body: object, reply: ZodType<T>, { signal }: CallOptions = {}) =>
    call('/prpc', method, body, reply, { deadline_ms: limits.read_ms, mutates: false, signal });
  const write = <T>(
    method: string,
    body: object,
    reply: ZodType<T>,
    { signal }: CallOptions = {},
    slow = false,
  ) =>
    call('/prpc', method, body, reply, {
      deadline_ms: slow ? limits.slow_write_ms : limits.write_ms,
      mutates: true,
      signal,
    });
  /** A 400 from the guest proxy usually means that the guest isn't up yet. */
  const guest = async <T>(
    method: string,
    id: string,
    reply: ZodType<T>,
    { signal }: CallOptions = {},
  ): Promise<T> => {
    const mutates = method === 'Shutdown';
    try {
      return await call('/guest', method, { id }, reply, { deadline_ms: limits.info_ms, mutates, signal });
    } catch (error) {
      if (!(error instanceof VmmError) || error.kind !== 'rejected') throw error;
      throw transport.failure(
        'rejected',
        `guest ${method}`,
        error.host_text ?? "the guest isn't responding",
        {
          ...(error.host_text === null ? {} : { host_text: error.host_text }),
          retryable: true,
          cause: error,
        },
      );
    }
  };

  const situation = {
    endpoint: transport.endpoint,
    tls: options.tls,
    hasCredential: Boolean(options.credential),
  };
  let known: { at: number; capabilities: VmmCapabilities } | null = null;
  const version = (how?: CallOptions) => read('Version', {}, schema.versionReply, how);
  const capabilities = async (how?: CallOptions): Promise<VmmCapabilities> => {
    if (known !== null && Date.now() - known.at < CAPABILITIES_TTL_MS) return known.capabilities;
    const said = await version(how).catch((error: unknown) => {
      if (isUnsupported(error)) return BEFORE_VERSION;
      throw error;
    });
    known = { at: Date.now(), capabilities: capabilitiesOf(said, situation) };
    return known.capabilities;
  };
  /** Rejects a field that this host would silently ignore. */
  const refuseUnknownFields = async (
    method: string,
    spec: VmSpec | VmChange,
    how?: CallOptions,
  ): Promise<void> => {
    const wanted = [
      ['no_tee', spec.no_tee],
      ['networking', spec.networks?.length],
      ['simulated_tee', 'simulated_tee' in spec && spec.simulated_tee],
    ] as const;
    if (wanted.every(([, value]) => !value)) return;
    const can = await capabilities(how);
    for (const [name, value] of wanted)
      if (value && !can[name])
        throw transport.failure('unsupported', method, `dstack-vmm ${can.version} does not support ${name}`);
  };

  const stopVm = (id: string, how?: CallOptions) => write('StopVm', { id }, schema.empty, how);
  const removeVm = async (id: string, how?: CallOptions): Promise<void> => {
    try {
      await write('RemoveVm', { id }, schema.empty, how);
    } catch (error) {
      if (!(error instanceof VmmError)) throw error;
      if (error.kind === 'not_found') return;
      // 0.5 doesn't stop a VM before removing it.
      if (!/stop it first/i.test(error.host_text ?? '')) throw error;
      await stopVm(id, how);
      await write('RemoveVm', { id }, schema.empty, how);
    }
  };

  const updateVm = async (id: string, change: VmChange, how?: CallOptions): Promise<void> => {
    const refused = contradictionIn(change);
    if (refused !== null) throw transport.failure('rejected', 'UpdateVm', refused);
    await refuseUnknownFields('UpdateVm', change, how);
    const body = updateRequest(id, change);
    const can = await capabilities(how);
    if (can.update_vm) {
      try {
        // The ID in the reply is derived from the compose file: it isn't the VM's, so ignore it.
        return await write('UpdateVm', body, schema.empty, how, true);
      } catch (error) {
        if (!isUnsupported(error)) throw error;
        known = null;
      }
    }
    if (change.kms_urls !== undefined || change.gateway_urls !== undefined)
      throw transport.failure(
        'unsupported',
        'UpgradeApp',
        'this dstack-vmm cannot change kms_urls or gateway_urls',
      );
    const { vcpu, memory, disk_size, image, ...upgrade } = body;
    const resize = { vcpu, memory, disk_size, image };
    // Resizing can be rejected (running, shrinking); upgrading first would leave half a change.
    if (Object.values(resize).some((v) => v !== undefined))
      await write('ResizeVm', { id, ...resize }, schema.empty, how, true);
    if (Object.keys(upgrade).length > 1) await write('UpgradeApp', upgrade, schema.empty, how, true);
  };

  return {
    endpoint: transport.endpoint.label,
    async createVm(spec, how) {
      await refuseUnknownFields('CreateVm', spec, how);
      return (await write('CreateVm', spec, schema.createdId, how, true)).id;
    },
    startVm: (id, how) => write('StartVm', { id }, schema.empty, how),
    stopVm,
    shutdownVm: (id, how) => write('ShutdownVm', { id }, schema.empty, how),
    removeVm,
    updateVm,
    async getInfo(id, { signal } = {}) {
      const how = { deadline_ms: limits.info_ms, mutates: false, signal };
      try {
        const { found, info } = await call('/prpc', 'GetInfo', { id }, schema.infoReply, how);
        return found ? info : null;
      } catch (error) {
        if (error instanceof VmmError && error.kind === 'not_found') return null;
        throw error;
      }
    },
    status: (query = {}, how) =>
      read(
        'Status',
        {
          ids: query.ids ?? [],
          brief: query.brief ?? false,
          keyword: query.keyword ?? '',
          page: query.page ?? 0,
          page_size: query.page_size ?? 0,
        },
        schema.statusReply,
        how,
      ),
    reloadVms: (how) => write('ReloadVms', {}, schema.reloadReply, how, true),
    listProcesses: async (how) => (await read('SvList', {}, schema.processList, how)).processes,
    listImages: async (how) => (await read('ListImages', {}, schema.imageList, how)).images,
    listRegistryImages: async (how) =>
      (await read('ListRegistryImages', {}, schema.registryImageList, how)).images,
    pullRegistryImage: (tag, how) => write('PullRegistryImage', { tag }, schema.empty, how),
    deleteImage: (name, how) => write('DeleteImage', { id: name }, schema.empty, how),
    listGpus: (how) => read('ListGpus', {}, schema.gpuList, how),
    version,
    capabilities,
    getMeta: (how) => read('GetMeta', {}, schema.metaReply, how),
    clockSkewMs: () => transport.clockSkewMs,
    getAppEnvEncryptPubKey: (appId, how) =>
      read('GetAppEnvEncryptPubKey', { app_id: appId }, schema.envPubKey, how),
    composeHash: async (composeFile, how) =>
      (await read('GetComposeHash', { compose_file: composeFile }, schema.composeHashReply, how)).hash,

    async logs({ id, channel = 'serial', lines, follow = false, ansi = false, signal }) {
      // Before 0.6, an unknown VM has an empty log.
      if (!(await capabilities({ signal })).api_protected && (await this.getInfo(id, { signal })) === null)
        throw transport.failure('not_found', 'logs', 'VM not found');
      const query = new URLSearchParams({ id, ch: channel, follow: String(follow), ansi: String(ansi) });
      if (lines !== undefined) query.set('lines', String(lines));
      const opened = await transport.stream({
        method: 'logs',
        path: `/logs?${query.toString()}`,
        silence_ms: follow ? limits.log_silence_ms : limits.read_ms,
        signal,
      });
      if (opened.status === 200) return withoutHeartbeats(opened.body);
      throw await logFailure(transport, opened);
    },
    guest: {
      info: (id, how) => guest('Info', id, schema.guestInfo, how),
      sysInfo: (id, how) => guest('SysInfo', id, schema.guestSysInfo, how),
      networkInfo: (id, how) => guest('NetworkInfo', id, schema.guestNetworkInfo, how),
      listContainers: async (id, how) =>
        (await guest('ListContainers', id, schema.guestContainers, how)).containers,
      shutdown: (id, how) => guest('Shutdown', id, schema.empty, how),
    },
    containerLogs: (query) => agentLogs.open(query),
    async close() {
      await Promise.all([transport.close(), agentLogs.close()]);
    },
  };
}

interface How {
  deadline_ms: number;
  mutates: boolean;
  signal: AbortSignal | undefined;
}

function isUnsupported(error: unknown): boolean {
  return error instanceof VmmError && error.kind === 'unsupported';
}

/** Values the host would treat as "unchanged", or reject without naming the field. */
function contradictionIn(change: VmChange): string | null {
  for (const field of ['compose_file', 'encrypted_env', 'user_config'] as const)
    if (change[field] === '')
      return `${field} cannot be cleared: the host treats an empty value as unchanged`;
  if (change.ports?.some((port) => port.host_address === ''))
    return 'ports: an update needs the host_address of every port';
  return null;
}

/** An empty list means "none" only together with its update_ flag. */
function updateRequest(id: string, { ports, kms_urls, gateway_urls, networks, ...rest }: VmChange) {
  return {
    id,
    ...rest,
    ...(ports && { update_ports: true, ports }),
    ...(kms_urls && { update_kms_urls: true, kms_urls }),
    ...(gateway_urls && { update_gateway_urls: true, gateway_urls }),
    ...(networks && { update_networking: true, networks }),
  };
}

async function logFailure(transport: Transport, opened: OpenStream): Promise<Error> {
  const text = await opened.text();
  if (opened.status === 401 || opened.status === 403)
    return transport.failure('unauthorized', 'logs', `the host refuses the credential (${opened.status})`);
  if (opened.status === 404) return transport.failure('not_found', 'logs', 'the host does not know this VM');
  if (opened.status === 400) return transport.failure('rejected', 'logs', text, { host_text: text });
  if (opened.status >= 500)
    return transport.failure('unreachable', 'logs', `unexpected status ${opened.status}`);
  return transport.failure('bad_reply', 'logs', `unexpected status ${opened.status}`);
}
