import type { IncomingMessage, ServerResponse } from 'node:http';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import type { FaultKind } from './chaosEvents';

/** A process of hosts that boot CVMs in memory and misbehave on command. */

export type ChaosMessage =
  | { start: number }
  | { fault: number; kind: FaultKind; hosts: readonly number[] }
  | { heal: number }
  | 'report';

export interface SimulatedVm {
  host: number;
  id: string;
  name: string;
  status: string;
  vcpu: number;
  memory: number;
  disk_size: number;
}

export interface Report {
  vms: SimulatedVm[];
  /** How often each name was given to a VM. */
  created: [name: string, times: number][];
}

const STAGE_MS = 100;
const SLOW_MS = 4_000;

interface Fault {
  id: number;
  kind: FaultKind;
  /** Action for requests in progress when the host recovers. */
  held: (() => void)[];
}

const hosts: FakeVmm[] = [];
const faults = new Map<number, Fault>();
const created = new Map<string, number>();

function unanswered(response: ServerResponse, held: Fault['held']): void {
  held.push(() => response.destroy());
  Object.assign(response, { writeHead: () => response, write: () => true, end: () => response });
}

/** Reads and queries are answered. */
const isChange = ({ url = '' }: IncomingMessage) =>
  /\/(?:Teepod\.)?(?:Create|Start|Stop|Shutdown|Remove|Update|Resize)/.test(url);

function gate(host: number, request: IncomingMessage, response: ServerResponse, go: () => void): void {
  const fault = faults.get(host);
  if (!fault) return go();
  switch (fault.kind) {
    case 'silent':
      fault.held.push(() => response.destroy());
      return;
    case 'late':
      fault.held.push(go);
      return;
    case 'mute':
      unanswered(response, fault.held);
      return go();
    case 'slow':
      setTimeout(go, SLOW_MS);
      return;
    case 'reset':
      return void response.destroy();
    case 'cut':
      unanswered(response, fault.held);
      go();
      return void response.destroy();
    case 'refuse':
      if (!isChange(request)) return go();
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"no space left on device"}');
  }
}

function heal(host: number): void {
  const fault = faults.get(host);
  faults.delete(host);
  for (const end of fault?.held ?? []) end();
}

async function start(count: number): Promise<string[]> {
  for (let host = 0; host < count; host++) {
    const fake = await startFakeVmm({
      stage_ms: STAGE_MS,
      gate: (request, response, go) => gate(host, request, response, go),
    });
    fake.on('/prpc/CreateVm', (_request, _response, { name }) => {
      created.set(String(name), (created.get(String(name)) ?? 0) + 1);
      return 'pass';
    });
    hosts.push(fake);
  }
  return hosts.map(({ url }) => url);
}

process.on('message', (message: ChaosMessage) => {
  if (message === 'report') {
    const vms = hosts.flatMap((fake, host) => fake.vms().map((vm) => ({ host, ...vm })));
    const report: Report = { vms, created: [...created] };
    process.send?.(report);
  } else if ('start' in message) void start(message.start).then((urls) => process.send?.(urls));
  else if ('fault' in message)
    for (const host of message.hosts) {
      heal(host);
      faults.set(host, { id: message.fault, kind: message.kind, held: [] });
    }
  else for (const [host, { id }] of faults) if (id === message.heal) heal(host);
});
