import type { LookupFunction } from 'node:net';
import {
  VmmError,
  type ContainerLogQuery,
  type ContainerLogs,
  type TlsOptions,
  type VmInfo,
  type VmmLimits,
} from './index';
import { classifyAgentReply } from './agentReplies';
import { Transport } from './transport';

interface Options {
  transport: Transport;
  limits: VmmLimits;
  through: 'gateway' | 'vmm';
  gatewayTls: TlsOptions | undefined;
  lookup: LookupFunction | undefined;
}

interface Query {
  vm: Pick<VmInfo, 'id' | 'app_id' | 'instance_id' | 'app_url'>;
  container: string;
  query?: ContainerLogQuery;
  signal?: AbortSignal;
}

const METHOD = 'container logs';
/** Docker's names and IDs; also keeps `..` out of the path. */
const CONTAINER = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** An app or instance at a gateway: 20 bytes. The host claims this too, so another name could be any server's. */
const GATEWAY_NAME = /^[0-9a-f]{40}$/i;

/** Container logs come from the guest agent inside the VM, not from the host. */
export class AgentLogs {
  readonly #options: Options;
  #gateway: Transport | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  async open({ vm, container, query = {}, signal }: Query): Promise<ContainerLogs> {
    const { transport, through } = this.#options;
    if (!CONTAINER.test(container)) throw transport.failure('rejected', METHOD, 'not a container name');
    const path = `/logs/${container}${search(query)}`;
    // An agent sends no heartbeat: a silent container may stay silent for hours.
    const common = { method: METHOD, silence_ms: query.follow ? 0 : this.#options.limits.read_ms, signal };
    if (through === 'gateway') {
      const { origin, prefix } = this.#agentUrl(vm);
      const { status, content_type, body } = await this.#gatewayTransport(origin).stream({
        ...common,
        origin,
        path: prefix + path,
      });
      return classifyAgentReply({ status, content_type, body });
    }
    if (vm.instance_id === null) throw this.#noAgent('the VM has no instance id yet');
    const opened = await transport.stream({
      ...common,
      path: `/agent/${encodeURIComponent(vm.instance_id)}${path}`,
    });
    // From us, not the agent: on a local teepod, the teepod checks the credential.
    if (opened.status === 401) {
      await opened.text();
      throw transport.failure('unauthorized', METHOD, 'the host refuses the credential (401)');
    }
    return classifyAgentReply({
      status: opened.status,
      content_type: opened.content_type,
      body: opened.body,
    });
  }

  /**
   * `app_url` is the host's claim. Following any URL would let a dishonest host read our network through us, so it
   * must be https (verified) and name this very VM at a gateway.
   */
  #agentUrl(vm: Query['vm']): { origin: string; prefix: string } {
    if (vm.app_url === null)
      throw this.#noAgent('the VM has no public address: its gateway is off, or it has not started yet');
    let url: URL | null = null;
    try {
      url = new URL(vm.app_url);
    } catch {
      // checked below
    }
    const names = [vm.instance_id, vm.app_id].filter((name) => name !== null && GATEWAY_NAME.test(name));
    const plain = url?.protocol === 'https:' && url.username === '' && url.password === '';
    if (url === null || !plain || !names.some((name) => url.hostname.startsWith(`${name?.toLowerCase()}-`)))
      throw this.#options.transport.failure(
        'bad_reply',
        METHOD,
        'app_url is not an https address of this VM',
      );
    return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
  }

  #noAgent(detail: string): Error {
    return this.#options.transport.failure('unsupported', METHOD, detail);
  }

  /** A separate pool without a credential: the gateway isn't the host. */
  #gatewayTransport(origin: string): Transport {
    const { limits, gatewayTls, lookup } = this.#options;
    this.#gateway ??= new Transport({
      url: origin,
      service: 'dstack-gateway',
      tls: gatewayTls,
      limits,
      lookup,
      errorClass: VmmError,
    });
    return this.#gateway;
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
  }
}

/** The agent reads flags by presence: `follow=false` would follow. */
function search(query: ContainerLogQuery): string {
  const flags = (['follow', 'text', 'bare', 'timestamps', 'ansi'] as const).filter((flag) => query[flag]);
  const values = (['since', 'until', 'tail'] as const).flatMap((name) => {
    const value = query[name];
    return value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  const all = [...flags, ...values];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}
