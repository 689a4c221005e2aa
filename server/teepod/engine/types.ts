/** Runs a CVM's containers: a Docker engine, or nothing (simulated). */
import type { ComposePlan, CvmLimits, PortPlan } from '../compose/plan';

export interface EngineContainer {
  id: string;
  vm_id: string;
  service: string;
  image: string;
  image_id: string;
  /** seconds since 1970 */
  created: number;
  /** Docker's state: created, running, paused, restarting, exited, dead */
  state: string;
  /** "Up 3 minutes", "Exited (0) 2 seconds ago" */
  status: string;
  /** number of this container among the service's replicas, from 1 */
  index: number;
}

export interface StartRequest {
  vm_id: string;
  /** Short CVM name that prefixes everything it owns on the engine. */
  project: string;
  plan: ComposePlan;
  limits: CvmLimits;
  /** GiB the CVM's containers may write */
  disk_gb: number;
  /** The CVM's private directory for the engine's files. */
  dir: string;
  signal: AbortSignal;
  log(line: string): void;
  /** Removes the CVM's secrets from a text. */
  redact(text: string): string;
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
  /** One line including its line ending, or a bounded piece of a longer one. */
  message: Buffer;
}

export interface Usage {
  memory_bytes: number;
  /** Microseconds of all CPUs combined; never falls while this teepod runs. */
  cpu_us: number;
  /** Size of layers and volumes; undefined until the engine has counted it. */
  disk_bytes: number | undefined;
  interfaces: NetworkInterface[];
}

interface NetworkInterface {
  name: string;
  addresses: { address: string; prefix: number }[];
  rx_bytes: number;
  tx_bytes: number;
  rx_errors: number;
  tx_errors: number;
}

export interface Engine {
  readonly kind: 'docker' | 'simulated';
  /** Identifies this run of the engine: another one begins with a restart that stops containers. */
  run(): Promise<string>;
  /** Returns every container this teepod owns, including stopped ones. */
  list(): Promise<EngineContainer[]>;
  /** Pulls the images. May take minutes, using only the network. */
  prepare(request: StartRequest): Promise<void>;
  /** Starts the CVM's containers; idempotent. Rejects with a sentence for boot_error. */
  start(request: StartRequest): Promise<void>;
  /** Hard stop. */
  kill(vmId: string): Promise<void>;
  /** Gives each container the time its Compose file sets, or `graceSeconds`, before it is killed. */
  stop(vmId: string, graceSeconds: number): Promise<void>;
  /** Removes the CVM's containers, networks and volumes. */
  remove(vmId: string, project: string): Promise<void>;
  logs(container: EngineContainer, query: LogQuery, signal: AbortSignal): AsyncIterable<LogChunk>;
  /** Returns the combined usage of the CVM's containers; undefined where nothing is measured. */
  usage(vmId: string): Promise<Usage | undefined>;
  /**
   * Returns bytes of its layers and volumes as of the last count, up to a minute old; undefined before the
   * first.
   */
  diskUse(vmId: string): number | undefined;
  /** Returns the port's address on this machine; undefined if nothing listens there. */
  endpoint(vmId: string, port: PortPlan): Promise<{ host: string; port: number } | undefined>;
}

const LIVE_STATES: readonly string[] = ['running', 'restarting', 'paused'];

export function isLive(container: EngineContainer): boolean {
  return LIVE_STATES.includes(container.state);
}
