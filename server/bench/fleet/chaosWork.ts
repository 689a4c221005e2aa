import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../console/lib/attestation/testing/random';
import type { Started } from '../serverProcess';

/** The teams' work during the faults, at a steady rate. */

/** Maximum CVMs per team; beyond it, deletions exceed deployments. */
const MAX_CVMS = 120;
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
const REQUEST_MS = 30_000;

export interface Acknowledged {
  /** Identifies its operation. */
  request_id: string;
  action: Action;
  vm_uuid: string;
}

export interface Work {
  /** Requests that were accepted. */
  acknowledged: Acknowledged[];
  /** Unaccepted requests by HTTP status; 0 without a reply. */
  others: Map<number, number>;
  /** Unexplained replies. */
  odd: string[];
  /** Resolves when the time is up and every request has ended. */
  ended: Promise<void>;
}

const ACTIONS = ['stop', 'shutdown', 'start', 'restart', 'resize', 'delete', 'recycle'] as const;
type Action = 'deploy' | (typeof ACTIONS)[number];

interface Team {
  slug: string;
  cvms: Set<string>;
}

/** Creates teams for an account. Returns their slugs. */
export async function createTeams(url: string, session: string, count: number): Promise<string[]> {
  const slugs: string[] = [];
  for (let n = 0; n < count; n++) {
    const reply = await fetch(`${url}/api/v1/workspaces`, {
      method: 'POST',
      headers: { cookie: session, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Chaos ${n}`, slug: `chaos-${n}` }),
    });
    if (reply.status !== 201)
      throw new Error(`creating a team returned ${reply.status}: ${await reply.text()}`);
    slugs.push(((await reply.json()) as { slug: string }).slug);
  }
  return slugs;
}

interface Setting {
  web: Started;
  /** Of a user in all teams. */
  session: string;
  /** Slugs. */
  teams: readonly string[];
  seed: number;
  perSecond: number;
  /** Milliseconds since 1970. */
  until: number;
}

export function beginWork({ web, session, teams: slugs, seed, perSecond, until }: Setting): Work {
  const random = new Random(seed);
  const teams = slugs.map((slug): Team => ({ slug, cvms: new Set() }));
  const acknowledged: Acknowledged[] = [];
  const others = new Map<number, number>();
  const odd: string[] = [];
  let names = 0;

  /** Returns the reply if it was accepted. */
  async function ask({ slug }: Team, method: string, path: string, body?: unknown) {
    const reply = await fetch(`${web.url}/api/v1${path}`, {
      method,
      headers: {
        cookie: session,
        'x-workspace': slug,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    }).catch(() => null);
    const text = await reply?.text().catch(() => null);
    if (!reply || text === null || text === undefined) return count(0);
    if (reply.status >= 300) {
      // Busy, gone, without its database, already of that size, out of room, or without a key service, which
      // hangs like hosts. Or unknown whether a change was saved, because the database went away during its
      // commit.
      const isExpected =
        [404, 409, 503].includes(reply.status) ||
        /"ERR-(?:02-008|00-017)"|lost while the change was being saved/.test(text);
      if (!isExpected) odd.push(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
      return count(reply.status);
    }
    return {
      request_id: reply.headers.get('x-request-id') ?? '',
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
  }
  const count = (status: number) => {
    others.set(status, (others.get(status) ?? 0) + 1);
    return null;
  };

  async function deploy(team: Team): Promise<void> {
    const provision = { name: `chaos-${++names}-app`, compose_file: { docker_compose_file: COMPOSE } };
    const provisioned = await ask(team, 'POST', '/cvms/provision', provision);
    if (!provisioned) return;
    const { app_id, compose_hash } = provisioned.body;
    const made = await ask(team, 'POST', '/cvms', { app_id, compose_hash });
    if (!made) return;
    const vm_uuid = String(made.body.vm_uuid);
    team.cvms.add(vm_uuid);
    acknowledged.push({ request_id: made.request_id, action: 'deploy', vm_uuid });
  }

  async function change(team: Team, action: (typeof ACTIONS)[number], vm_uuid: string): Promise<void> {
    const at = `/cvms/${vm_uuid}`;
    const ends = action === 'delete' || action === 'recycle';
    // No other request is made for a CVM about to be deleted.
    if (ends) team.cvms.delete(vm_uuid);
    const sizes = [
      { vcpu: 1, memory: 2_048 },
      { vcpu: 2, memory: 4_096 },
      { vcpu: 4, memory: 8_192 },
    ];
    const reply = await {
      stop: () => ask(team, 'POST', `${at}/stop`),
      shutdown: () => ask(team, 'POST', `${at}/shutdown`),
      start: () => ask(team, 'POST', `${at}/start`),
      restart: () => ask(team, 'POST', `${at}/restart`, { force: random.below(2) === 0 }),
      resize: () => ask(team, 'PATCH', `${at}/resources`, { ...random.pick(sizes), allow_restart: true }),
      delete: () => ask(team, 'DELETE', `${at}?permanently=true`),
      recycle: () => ask(team, 'DELETE', at),
    }[action]();
    if (reply) acknowledged.push({ request_id: reply.request_id, action, vm_uuid });
  }

  async function all(): Promise<void> {
    const running: Promise<void>[] = [];
    for (let next = Date.now(); next < until; next += 1_000 / perSecond) {
      await wait(Math.max(0, next - Date.now()));
      const team = random.pick(teams);
      const full = team.cvms.size >= MAX_CVMS;
      const vm_uuid = random.pick([...team.cvms]) as string | undefined;
      const action = random.pick(full ? ACTIONS : (['deploy', 'deploy', 'deploy', ...ACTIONS] as const));
      running.push(
        action === 'deploy' || vm_uuid === undefined ? deploy(team) : change(team, action, vm_uuid),
      );
    }
    await Promise.all(running);
  }

  return { acknowledged, others, odd, ended: all() };
}
