import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Db } from '../db/core/client';
import { identityOf, insertApp, insertCvm, insertHost } from '../testing/cvmFixtures';
import { EMAIL } from './seed';
import { startSource, stopChild } from './serverProcess';

export interface LogHost {
  /** Registered with the server: running CVMs whose `web` containers all write the same lines. */
  vm_uuids: string[];
  /** Sets the number of lines per second. */
  rate(lines: number): void;
  /** Lines written so far. */
  written(): Promise<number>;
  stop(): Promise<void>;
}

/** The host from bench/logSource.ts, with CVMs of the account's team. */
export async function startLogHost(db: Db, cvms = 1): Promise<LogHost> {
  const child = startSource('logSource.ts');
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const call = async <T>(method: string, body: object): Promise<T> => {
    const reply = await fetch(`${url}/prpc/${method}?json`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} returned ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const who = await identityOf(db, EMAIL);
  const host = await insertHost(db, { name: 'writing', url });
  const app = await insertApp(db, { ...who, host, name: 'writing' });
  const vm_uuids: string[] = [];
  for (let i = 0; i < cvms; i++) {
    const { id } = await call<{ id: string }>('CreateVm', {
      name: `writing-${i}`,
      image: 'dstack-0.6.0',
      compose_file: app.revision.app_compose,
      vcpu: 1,
      memory: 2048,
      disk_size: 20,
      app_id: app.app.app_id,
    });
    const { info } = await call<{ info: { instance_id: string } }>('GetInfo', { id });
    child.send({ instance_id: info.instance_id });
    const change = { host_vm_id: id, instance_id: info.instance_id };
    vm_uuids.push((await insertCvm(db, { ...app, host, user_id: who.user_id, change })).vm_uuid);
  }
  return {
    vm_uuids,
    rate: (lines) => void child.send({ rate: lines }),
    async written() {
      child.send({ ask: true });
      const [{ lines }] = (await once(child, 'message')) as [{ lines: number }];
      return lines;
    },
    stop: () => stopChild(child),
  };
}

/** Returns a process's resident memory in MB (proc(5)); 0 if the system doesn't report it. */
export function rssMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
