import { sql, type Kysely } from 'kysely';

/**
 * The ports taken from a given-up VM, and when an administrator chose it again, which restores them at its next
 * boot. Until now they were read from an event's data, and a VM that was chosen again left the table. Events
 * report given-up CVMs, so that their notifications end in the right order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table given_up_vms
  add column released_ports jsonb not null default '[]',
  add column taken_back_at timestamptz;

insert into given_up_vms (cvm_id, teepod_id, host_vm_id, released_at, released_ports, taken_back_at)
select distinct on (e.cvm_id, e.data ->> 'host_vm_id') c.id, c.teepod_id, c.host_vm_id, e.created_at, e.data -> 'ports', now()
from events e join cvms c on c.id = e.cvm_id and c.host_vm_id = e.data ->> 'host_vm_id'
where e.kind = 'cvm.vm_detached' and jsonb_typeof(e.data -> 'ports') = 'array' and c.teepod_id is not null
order by e.cvm_id, e.data ->> 'host_vm_id', e.id desc
on conflict do nothing;

update given_up_vms g set released_ports = e.ports
from (select distinct on (cvm_id, data ->> 'host_vm_id') cvm_id, data ->> 'host_vm_id' as host_vm_id, data -> 'ports' as ports
  from events where kind = 'cvm.vm_detached' and jsonb_typeof(data -> 'ports') = 'array'
  order by cvm_id, data ->> 'host_vm_id', id desc) e
where e.cvm_id = g.cvm_id and e.host_vm_id = g.host_vm_id;

drop trigger events_feed on events;
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|found|recovered|given_up|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over|bin_gave_way)$'
    or new.kind like 'budget.%' or new.kind like 'order.%')
  execute function feed_event();
`;
