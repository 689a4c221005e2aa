/** What runs the containers of a CVM: a Docker engine, or nothing (simulated). */
import type { ComposePlan, CvmLimits, PortPlan } from '../compose/plan';

export interface EngineContainer {
  id: string;
  vm_id: string;
  service: string;
  image: string;
  image_id: string;
  /** seconds since 1970 */
  created: number;
  /** Docker's word: created, running, paused, restarting, exited, dead */
  state: string;
  /** "Up 3 minutes", "Exited (0) 2 seconds ago" */
  status: string;
  /** number of this container among the service's replicas, from 1 */
  index: number;
}

export interface StartRequest {
  vm_id: string;
  /** short name of the CVM that prefixes everything it owns on the engine */
  project: string;
  plan: ComposePlan;
  limits: CvmLimits;
  /** private directory of the CVM for files of the engine */
  dir: string;
  signal: AbortSignal;
  log(line: string): void;
}

export interface LogQuery {
  follow: boolean;
  timestamps: boolean;
  /** lines from the end; -1 = all */
  tail: number;
  /** seconds since 1970; 0 = unset */
  since: number;
  until: number;
}

export interface LogChunk {
  channel: 'stdout' | 'stderr';
  /** one line with its end, or a bounded piece of a longer one */
  message: Buffer;
}

export interface Usage {
  memory_bytes: number;
  /** Microseconds of all CPUs together; never falls while this teepod runs. */
  cpu_us: number;
  /** What layers and volumes take; undefined while the engine has not counted it. */
  disk_bytes: number | undefined;
  interfaces: NetworkInterface[];
}

export interface NetworkInterface {
  name: string;
  addresses: { address: string; prefix: number }[];
  rx_bytes: number;
  tx_bytes: number;
  rx_errors: number;
  tx_errors: number;
}

export interface Engine {
  readonly kind: 'docker' | 'simulated';
  /** Every container this teepod owns, stopped ones too. */
  list(): Promise<EngineContainer[]>;
  /** Fetches what the containers are made of. It may take minutes and needs nothing of the machine but the network. */
  prepare(request: StartRequest): Promise<void>;
  /** Brings the CVM's containers up; idempotent. Rejects with a sentence for boot_error. */
  start(request: StartRequest): Promise<void>;
  /** Hard stop. */
  kill(vmId: string): Promise<void>;
  stop(vmId: string, graceSeconds: number): Promise<void>;
  /** Removes containers, networks and volumes of the CVM. */
  remove(vmId: string, project: string): Promise<void>;
  logs(container: EngineContainer, query: LogQuery, signal: AbortSignal): AsyncIterable<LogChunk>;
  /** What the CVM's containers use together; undefined where nothing is measured. */
  usage(vmId: string): Promise<Usage | undefined>;
  /** Where the port can be reached from this machine; undefined when nothing listens there. */
  endpoint(vmId: string, port: PortPlan): Promise<{ host: string; port: number } | undefined>;
}

export const LIVE_STATES: readonly string[] = ['running', 'restarting', 'paused'];

export function isLive(container: EngineContainer): boolean {
  return LIVE_STATES.includes(container.state);
}
