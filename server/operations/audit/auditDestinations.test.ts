import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminAuditDestination } from '../../../generated/api/types.gen';
import { selfSigned, type TestCertificate } from '../../testing/certificate';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startSyslog } from '../../testing/syslogServer';
import { startReceiver, type Receiver } from '../../testing/webhookReceiver';
import {
  addMember,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  INVALID,
  NOT_FOUND,
  STEP_UP,
} from '../teams/testing/members';

const SECRET = 'a secret of the receiver';
let server: TestServer;
let admin: TestClient;
let receiver: Receiver;
let certificate: TestCertificate;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.register('admin@example.test');
  certificate = selfSigned('127.0.0.1');
});
afterAll(() => server.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  return async () => {
    await receiver.close();
    await server.services.db.deleteFrom('audit_destinations').execute();
  };
});

const webhook = (more: object = {}) => ({
  name: 'siem',
  kind: 'webhook',
  address: receiver.url,
  secret: SECRET,
  ...more,
});
const create = (body: object) => admin.call('createAdminAuditDestination', { body });
async function made(body: object = webhook()): Promise<AdminAuditDestination> {
  const added = await create(body);
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body as AdminAuditDestination;
}
const at = ({ id }: Pick<AdminAuditDestination, 'id'>) => ({ path: { id } });
const read = async (one: AdminAuditDestination) =>
  (await admin.call('getAdminAuditDestination', at(one))).body as AdminAuditDestination;
const audits = async () =>
  server.services.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after', 'team_id'])
    .where('target_kind', '=', 'audit_destination')
    .orderBy('id')
    .execute();
interface Batch {
  test: boolean;
  entries: { id: string; action: string; team: { slug: string } | null }[];
}
const batches = () => receiver.received.map(({ body }) => JSON.parse(body) as Batch);

describe('an audit destination', () => {
  it('receives its own creation and every team’s entries from then on', async () => {
    const destination = await made();
    expect(destination).toMatchObject({
      state: 'active',
      has_secret: true,
      ca_certificate: null,
      last_error: null,
    });
    const owner = await server.register();
    await owner.call('createWorkspace', { body: { name: 'Delivered', slug: 'delivered' } });
    const actions = () => batches().flatMap(({ entries }) => entries);
    await eventually('both arrived', async () => {
      const found = actions();
      return (
        found.some(({ action }) => action === 'audit_destination.create') &&
        found.some(({ team }) => team?.slug === 'delivered')
      );
    });
    const ids = actions().map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    await eventually('it is up to date', async () => (await read(destination)).waiting === 0);
    expect(await read(destination)).toMatchObject({
      health: 'ok',
      waiting_since: null,
      delivered_at: expect.any(String),
      delivered_id: ids.at(-1),
    });
  });

  it('receives the whole log if it starts at the beginning', async () => {
    await made(webhook({ start: 'beginning' }));
    await eventually('the first entry arrived', async () =>
      batches().some(({ entries }) => entries.some(({ id }) => id === '1')),
    );
  });

  it('never reveals its secret, not even in the audit log', async () => {
    const destination = await made(webhook({ address: `${receiver.url}?token=of-the-receiver` }));
    const changed = await admin.call('updateAdminAuditDestination', {
      ...at(destination),
      body: { secret: 'another secret of it', name: 'siem-2' },
    });
    expect(changed.status).toBe(200);
    const list = (await admin.call('listAdminAuditDestinations')).body;
    const log = await audits();
    expect(log.slice(-2).map(({ action, team_id }) => [action, team_id])).toEqual([
      ['audit_destination.create', null],
      ['audit_destination.update', null],
    ]);
    expect(JSON.stringify([changed.body, list, log])).not.toMatch(/secret of|"v1\./);
    expect(JSON.stringify(log)).not.toContain('of-the-receiver');
    expect(log.at(-1)?.after).toEqual({ name: 'siem-2', sealed_secret: '•••' });
  });

  it('presents a client certificate without ever revealing its key', async () => {
    const own = selfSigned('teehouse.example.com');
    const syslog = await startSyslog({ ...certificate, clients: own.cert });
    const body = {
      name: 'siem',
      kind: 'syslog_tls',
      address: `127.0.0.1:${syslog.port}`,
      ca_certificate: certificate.cert,
      client_certificate: own.cert,
      client_key: own.key,
    };
    try {
      const destination = await made(body);
      expect(destination).toMatchObject({ has_client_key: true, client_certificate: own.cert });
      await eventually('it is up to date', async () => (await read(destination)).waiting === 0);
      expect(syslog.received.map(({ id }) => id)).toContain('audit_destination.create');

      const change = (patch: object) =>
        admin.call('updateAdminAuditDestination', { ...at(destination), body: patch });
      const other = selfSigned('other.example.com');
      expect((await change({ client_certificate: other.cert })).body).toMatchObject({
        details: [{ field: 'client_key' }],
      });
      expect((await change({ client_key: other.key })).body).toMatchObject({
        details: [{ message: 'This key belongs to a different certificate.' }],
      });
      const removed = await change({ client_certificate: null });
      expect(removed.body).toMatchObject({ has_client_key: false, client_certificate: null });
      expect(JSON.stringify([removed.body, await audits()])).not.toMatch(/PRIVATE KEY|"v1\./);
    } finally {
      await syslog.close();
    }
  });

  it('refuses a client certificate without its key, a key without it, and either for another kind', async () => {
    const own = selfSigned('teehouse.example.com');
    const syslog = { name: 'siem', kind: 'syslog_tls', address: 'logs.example.com:6514' };
    for (const body of [
      { ...syslog, client_certificate: own.cert },
      { ...syslog, client_key: own.key },
      { ...syslog, client_certificate: own.cert, client_key: 'no key' },
      { ...syslog, client_certificate: `${own.cert}${own.key}`, client_key: own.key },
      { ...syslog, kind: 'syslog_tcp', client_certificate: own.cert, client_key: own.key },
      webhook({ client_certificate: own.cert, client_key: own.key }),
    ])
      expect(codeOf(await create(body))).toBe(INVALID);
  });

  it('can be paused and resumed, and continues where it left off', async () => {
    const destination = await made();
    await eventually('it is up to date', async () => (await read(destination)).waiting === 0);
    expect((await admin.call('pauseAdminAuditDestination', at(destination))).body).toMatchObject({
      state: 'paused',
    });
    const before = (await read(destination)).delivered_id;
    await server.register();
    const paused = await eventually('entries wait', async () => {
      const now = await read(destination);
      return now.waiting > 1 && now;
    });
    expect(paused).toMatchObject({ delivered_id: before, waiting_since: expect.any(String) });
    receiver.received.length = 0;
    expect((await admin.call('resumeAdminAuditDestination', at(destination))).body).toMatchObject({
      state: 'active',
    });
    await eventually('it is up to date', async () => (await read(destination)).waiting === 0);
    expect(batches()[0]?.entries.map(({ action }) => action)).toContain('audit_destination.pause');
    // Repeating it changes nothing and adds no entry.
    const count = (await audits()).length;
    expect((await admin.call('resumeAdminAuditDestination', at(destination))).status).toBe(200);
    expect(await audits()).toHaveLength(count);
  });

  it('receives a test entry, and the administrator sees why one did not arrive', async () => {
    const destination = await made();
    await admin.call('pauseAdminAuditDestination', at(destination));
    receiver.received.length = 0;
    const sent = await admin.call('testAdminAuditDestination', at(destination));
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect(batches()).toMatchObject([{ test: true, entries: [{ id: '0', action: 'audit.test' }] }]);
    expect(receiver.received[0]?.headers['x-webhook-event']).toBe('audit.test');
    receiver.answer = (_one, res) => void res.writeHead(500).end('inner details');
    const failed = await admin.call('testAdminAuditDestination', at(destination));
    expect(codeOf(failed)).toBe('502 ERR-00-045');
    expect(JSON.stringify(failed.body)).toContain('returned status 500');
    expect(JSON.stringify(failed.body)).not.toContain('inner details');
    expect((await audits()).slice(-2).map(({ after }) => after)).toMatchObject([
      { delivered: true, error: null },
      { delivered: false, error: expect.stringContaining('returned status 500') },
    ]);
  });

  it('can be a syslog server with a certificate from a private CA', async () => {
    const syslog = await startSyslog(certificate);
    try {
      const address = `127.0.0.1:${syslog.port}`;
      const destination = await made({ name: 'syslog', kind: 'syslog_tls', address });
      const untrusted = await admin.call('testAdminAuditDestination', at(destination));
      expect(codeOf(untrusted)).toBe('502 ERR-00-045');
      expect(JSON.stringify(untrusted.body)).toContain("certificate isn't trusted");
      expect(syslog.received).toEqual([]);
      const changed = await admin.call('updateAdminAuditDestination', {
        ...at(destination),
        body: { ca_certificate: `My authority\n${certificate.cert}` },
      });
      expect(changed.body).toMatchObject({ ca_certificate: certificate.cert });
      await eventually('its entries arrived', async () =>
        syslog.received.some(({ id }) => id === 'audit_destination.create'),
      );
      expect(syslog.received.every(({ host }) => host === 'localhost')).toBe(true);
    } finally {
      await syslog.close();
    }
  });

  it('is reported as late in the metrics', async () => {
    receiver.answer = (_one, res) => void res.writeHead(503).end();
    const destination = await made();
    await eventually('it fails', async () => (await read(destination)).health === 'failing');
    const metrics = await (await fetch(`${server.address}/metrics`)).text();
    expect(metrics).toMatch(/teehouse_audit_export_lag_seconds\{destination="siem"\} [0-9.]+/);
    expect(await read(destination)).toMatchObject({
      last_error: expect.stringContaining('returned status 503'),
      failing_since: expect.any(String),
      next_attempt_at: expect.any(String),
    });
  });

  it('rejects settings that cannot work', async () => {
    const { key } = certificate;
    const pem = certificate.cert;
    const refused = async (body: object) => codeOf(await create(body));
    expect(await refused(webhook({ secret: undefined }))).toBe(INVALID);
    expect(await refused(webhook({ secret: 'short' }))).toBe(INVALID);
    expect(await refused(webhook({ address: 'logs.example.com:6514' }))).toBe(INVALID);
    expect(await refused(webhook({ address: 'https://user:password@logs.example.com' }))).toBe(INVALID);
    expect(await refused(webhook({ ca_certificate: pem }))).toBe(INVALID);
    // Unencrypted beyond this machine, and the cloud metadata service.
    expect(await refused(webhook({ address: 'http://10.0.0.5/in' }))).toBe(INVALID);
    expect(await refused(webhook({ address: 'https://169.254.169.254/latest' }))).toBe(INVALID);
    const syslog = { name: 'syslog', kind: 'syslog_tls', address: 'logs.example.com:6514' };
    expect(await refused({ ...syslog, secret: SECRET })).toBe(INVALID);
    expect(await refused({ ...syslog, address: 'https://logs.example.com' })).toBe(INVALID);
    expect(await refused({ ...syslog, ca_certificate: 'no certificate' })).toBe(INVALID);
    expect(await refused({ ...syslog, ca_certificate: pem + key })).toBe(INVALID);
    expect(await refused({ ...syslog, kind: 'syslog_tcp', ca_certificate: pem })).toBe(INVALID);
    expect(await refused({ ...syslog, kind: 'carrier_pigeon' })).toBe(INVALID);
    const destination = await made();
    expect(await refused(webhook())).toBe(CONFLICT);
    const update = (body: object) => admin.call('updateAdminAuditDestination', { ...at(destination), body });
    // The stored secret would sign requests to another server.
    expect(codeOf(await update({ address: 'https://elsewhere.example.com/in' }))).toBe(INVALID);
    expect(codeOf(await update({ kind: 'syslog_tcp' }))).toBe(INVALID);
    expect((await update({ address: 'https://elsewhere.example.com/in', secret: SECRET })).status).toBe(200);
  });

  it('is limited to twenty', async () => {
    for (let n = 0; n < 20; n++)
      await made({ name: `syslog-${n}`, kind: 'syslog_tcp', address: '127.0.0.1:9' });
    expect(codeOf(await create(webhook()))).toBe(CONFLICT);
  });

  it('disappears once removed', async () => {
    const destination = await made();
    expect((await admin.call('deleteAdminAuditDestination', at(destination))).status).toBe(204);
    for (const id of [
      'getAdminAuditDestination',
      'testAdminAuditDestination',
      'pauseAdminAuditDestination',
    ] as const)
      expect(codeOf(await admin.call(id, at(destination)))).toBe(NOT_FOUND);
    expect((await audits()).at(-1)).toMatchObject({
      action: 'audit_destination.delete',
      before: { name: 'siem', kind: 'webhook' },
    });
  });

  it('is inaccessible to teams, other platform roles and sessions without a recent confirmation', async () => {
    const destination = await made();
    const owner = await server.register();
    const member = await addMember(server, owner.slug ?? '', 'admin');
    const others = [owner, member.client];
    for (const platform_role of ['support', 'finance', 'infra'] as const) {
      const staff = await server.register();
      const { db } = server.services;
      await db
        .updateTable('users')
        .set({ platform_role })
        .where('email', '=', staff.email ?? '')
        .execute();
      others.push(staff);
    }
    for (const client of others) {
      expect(codeOf(await client.call('listAdminAuditDestinations'))).toBe(FORBIDDEN);
      expect(codeOf(await client.call('createAdminAuditDestination', { body: webhook() }))).toBe(FORBIDDEN);
      for (const id of [
        'getAdminAuditDestination',
        'deleteAdminAuditDestination',
        'testAdminAuditDestination',
        'pauseAdminAuditDestination',
        'resumeAdminAuditDestination',
      ] as const)
        expect(codeOf(await client.call(id, at(destination)))).toBe(FORBIDDEN);
      const body = { name: 'mine' };
      expect(codeOf(await client.call('updateAdminAuditDestination', { ...at(destination), body }))).toBe(
        FORBIDDEN,
      );
    }
    const { db } = server.services;
    const long_ago = new Date(Date.now() - 16 * 60_000);
    await db.updateTable('sessions').set({ confirmed_at: long_ago }).execute();
    for (const id of ['deleteAdminAuditDestination', 'pauseAdminAuditDestination'] as const)
      expect(codeOf(await admin.call(id, at(destination)))).toBe(STEP_UP);
    await db.updateTable('sessions').set({ confirmed_at: new Date() }).execute();
    expect((await read(destination)).state).toBe('active');
  });
});
