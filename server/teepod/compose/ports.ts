/**
 * Turns Compose `ports` into the CVM's ports. On this machine they are published on loopback only, on ports
 * the engine picks.
 */
import { integer, onlyKeys, quoted, refuse, text } from './values';
import { isYamlMap, type Yaml } from './yaml';

export interface PortPlan {
  service: string;
  /** The port inside the CVM, as in `<app>-<port>.<base_domain>`. */
  vm_port: number;
  container_port: number;
  protocol: 'tcp' | 'udp';
}

const MAX_PORTS = 64;

export function readPorts(service: string, value: Yaml, where: string): PortPlan[] {
  if (!Array.isArray(value)) return refuse(where, 'must be a list');
  const plans: PortPlan[] = [];
  value.forEach((item, index) => {
    const at = `${where}[${index}]`;
    plans.push(...(isYamlMap(item) ? longForm(service, item, at) : shortForm(service, text(item, at), at)));
    // In the loop: 50,000 ranges of 64 ports would fill the thread's memory first.
    if (plans.length > MAX_PORTS) refuse(where, `publishes more than ${MAX_PORTS} ports`);
  });
  return plans;
}

function longForm(service: string, item: Record<string, Yaml>, at: string): PortPlan[] {
  onlyKeys(item, at, ['target', 'published', 'protocol', 'mode', 'host_ip', 'name', 'app_protocol']);
  const target = integer(item['target'] ?? null, `${at}.target`, 1, 65_535);
  const published =
    item['published'] === undefined || item['published'] === null || item['published'] === ''
      ? target
      : integer(item['published'], `${at}.published`, 1, 65_535);
  return [{ service, vm_port: published, container_port: target, protocol: protocol(item['protocol'], at) }];
}

/** `[host_ip:][published:]container[/protocol]`, with ranges. */
function shortForm(service: string, raw: string, at: string): PortPlan[] {
  const match =
    /^(?:(?:\[[0-9a-fA-F:]*\]|[0-9.]*):)??(?:(\d+(?:-\d+)?)?:)?(\d+(?:-\d+)?)(?:\/([a-z]+))?$/.exec(raw);
  if (!match?.[2])
    return refuse(at, `${quoted(raw)} is not a valid port mapping; use a form such as 8080:80`);
  const inside = range(match[2], at);
  const outside = match[1] ? range(match[1], at) : inside;
  if (outside.length !== inside.length) refuse(at, `${quoted(raw)} maps port ranges of different sizes`);
  const kind = protocol(match[3] ?? null, at);
  return inside.map((port, index) => ({
    service,
    vm_port: outside[index] ?? port,
    container_port: port,
    protocol: kind,
  }));
}

function range(raw: string, at: string): number[] {
  const [first = '', last = first] = raw.split('-');
  const from = integer(first, at, 1, 65_535);
  const to = integer(last, at, from, 65_535);
  if (to - from >= MAX_PORTS) refuse(at, `a range may have at most ${MAX_PORTS} ports`);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function protocol(value: Yaml | undefined, at: string): 'tcp' | 'udp' {
  if (value === undefined || value === null || value === 'tcp') return 'tcp';
  if (value === 'udp') return 'udp';
  return refuse(at, 'the protocol must be tcp or udp');
}
