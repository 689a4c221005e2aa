import { sql, type Kysely } from 'kysely';

/** Client certificates for audit destinations that request one. Older processes present nothing, and retry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table audit_destinations
  -- PEM.
  add column client_certificate text,
  -- Sealed with the server's key.
  add column sealed_client_key text,
  add check ((client_certificate is null) = (sealed_client_key is null)),
  add check (kind = 'syslog_tls' or client_certificate is null);
`;
