import { sql, type Kysely } from 'kysely';

/** Members who want a mail once GPUs are free for a team. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table gpu_waits (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams,
  user_id bigint not null references users,
  gpus integer not null check (gpus between 1 and 64),
  -- The place in the line.
  created_at timestamptz not null default now(),
  -- When the mail was sent, and which host had the GPUs.
  told_at timestamptz,
  teepod_id bigint references teepods on delete set null,
  unique (team_id, user_id)
);
create index gpu_waits_line on gpu_waits (created_at, id) where told_at is null;
create index gpu_waits_user on gpu_waits (user_id);
create index gpu_waits_host on gpu_waits (teepod_id) where teepod_id is not null;
`;
