import pg from 'pg';
import { Agent, request } from 'undici';

/**
 * The baseline's process: queries its hosts' state, reads their CVMs and writes that they responded, with the
 * product's concurrency and nothing else.
 */

export interface BareWork {
  databaseUrl: string;
  /** The hosts of this process. */
  hosts: readonly { id: number; url: string }[];
}

const MAX_CONCURRENT = 64;

process.once('message', ({ databaseUrl, hosts }: BareWork) => {
  void (async () => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    const agent = new Agent({ connections: MAX_CONCURRENT });
    const left = [...hosts];
    let seen = 0;
    const visit = async ({ id, url }: BareWork['hosts'][number]) => {
      const reply = await request(`${url}/prpc/Status?json`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"brief":true}',
        dispatcher: agent,
      });
      const { vms } = (await reply.body.json()) as { vms: { id: string }[] };
      const { rows } = await pool.query<{ host_vm_id: string }>(
        `select id, public_id, vm_uuid, host_vm_id, instance_id, status, desired, boot_progress, missing_since, purge_at,
          updated_at from cvms where teepod_id = $1 and (deleted_at is null or purge_at is not null)`,
        [id],
      );
      const known = new Set(rows.map((row) => row.host_vm_id));
      seen += vms.filter((vm) => known.has(vm.id)).length;
      await pool.query('update teepods set last_seen_at = now(), reachable = true where id = $1', [id]);
    };
    const worker = async () => {
      for (let host = left.pop(); host; host = left.pop()) await visit(host);
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
    await pool.end();
    process.send?.({ seen });
  })();
});
