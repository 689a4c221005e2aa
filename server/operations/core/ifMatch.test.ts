import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../generated/api/operations.gen';
import { startOidcProvider, type TestProvider } from '../../testing/oidcProvider';
import type { Answer, TestClient } from '../../testing/server';
import { startReceiver, type Receiver } from '../../testing/webhookReceiver';
import { SettingsWorld } from '../cvms/settings/testing/settings';
import { addMember, codeOf, registerUser, type TestMember } from '../teams/testing/members';

/** Every operation a form saves with, under each kind of If-Match. */

const STALE = '412 ERR-00-020';
const world = new SettingsWorld({ WEBHOOKS_TO_LOCALHOST: 'on' });
let provider: TestProvider;
let receiver: Receiver;
let owner: TestMember;
beforeAll(async () => {
  provider = await startOidcProvider({ redirect_uris: ['http://localhost/callback'] });
  receiver = await startReceiver();
  owner = await registerUser(world.server);
  await world.db
    .updateTable('users')
    .set({ second_factor_at: new Date() })
    .where('id', '=', owner.user_id)
    .execute();
});
afterAll(() => Promise.all([provider?.close(), receiver?.close()]));

type Headers = Record<string, string>;
/** A new record and the requests about it. */
interface Target {
  /** Returns its representation with `etag`, without fields that change over time. */
  read(): Promise<{ etag: string }>;
  /** The write under test; the two variants set different values. */
  write(headers: Headers, variant?: 0 | 1): Promise<Answer>;
  /** Another member's edit of `field`. */
  editElsewhere(): Promise<Answer>;
  field: string;
}

const LATER = ['2027-01-01T10:00:00Z', '2027-01-02T10:00:00Z'];
const cvmWrites: Partial<Record<OperationId, (variant: 0 | 1) => unknown>> = {
  renameCvm: (i) => ({ name: `renamed-${i}-${Date.now()}` }),
  setCvmListed: () => ({ listed: true }),
  setCvmMovable: () => ({ movable: true }),
  protectCvm: () => undefined,
  unprotectCvm: () => undefined,
  scheduleCvmStop: (i) => ({ scheduled_stop_at: LATER[i] }),
  scheduleCvmDelete: (i) => ({ scheduled_delete_at: LATER[i] }),
  updateCvmResources: (i) => ({ vcpu: 2 + i }),
  updateCvmVisibility: (i) => ({ public_logs: false, public_sysinfo: i === 0 }),
  updateCvmOsImage: () => ({ os_image_name: 'dstack-0.6.0' }),
  patchCvm: (i) => ({ public_sysinfo: false, public_logs: i === 0 }),
};

async function cvmTarget(id: OperationId): Promise<Target> {
  const cvm = await world.addCvm({ protected: id === 'unprotectCvm' });
  const path = { cvm_id: cvm.public_id };
  return {
    read: async () => {
      const { uptime: _, ...cvm } = (await world.member.call('getCvm', { path })).body;
      return cvm;
    },
    write: (headers, variant = 0) => world.member.call(id, { path, headers, body: cvmWrites[id]?.(variant) }),
    editElsewhere: () =>
      id === 'renameCvm'
        ? world.member.call('setCvmMovable', { path, body: { movable: true } })
        : world.member.call('renameCvm', { path, body: { name: `taken-${cvm.id}-over` } }),
    field: id === 'renameCvm' ? 'movable' : 'name',
  };
}

async function newTeam(): Promise<{ slug: string; client: TestClient }> {
  const slug = `team-${Math.random().toString(36).slice(2, 10).replace(/\d/g, 'x')}`;
  await owner.client.call('createWorkspace', { body: { name: 'Before', slug } });
  return { slug, client: owner.client.with({ 'x-workspace': slug }) };
}

const teamWrites: Partial<Record<OperationId, () => Promise<Target>>> = {
  async updateWorkspace() {
    const { slug, client } = await newTeam();
    const update = (body: object, headers: Headers = {}) =>
      client.call('updateWorkspace', { path: { slug }, body, headers });
    return {
      read: async () => (await client.call('getWorkspace', { path: { slug } })).body,
      write: (headers, variant = 0) => update({ name: `Mine ${variant}` }, headers),
      editElsewhere: () => update({ name: 'Theirs' }),
      field: 'name',
    };
  },
  async updateMember() {
    const { slug, client } = await newTeam();
    const { id } = await addMember(world.server, slug, 'viewer');
    const set = (role: string, headers: Headers = {}) =>
      client.call('updateMember', { path: { slug, user_id: id }, body: { role }, headers });
    return {
      read: async () => {
        const { data } = (await client.call('listMembers', { path: { slug } })).body;
        return data.find((one) => one.id === id)!;
      },
      write: (headers, variant = 0) => set(variant === 0 ? 'admin' : 'member', headers),
      editElsewhere: () => set('billing'),
      field: 'role',
    };
  },
  async updateApiToken() {
    const { slug, client } = await newTeam();
    const made = await client.call('createApiToken', {
      path: { slug },
      body: { name: 'CI', scopes: ['cvms:*'] },
    });
    const token_id = (made.body as { api_token: { id: string } }).api_token.id;
    const rename = (name: string, headers: Headers = {}) =>
      client.call('updateApiToken', { path: { slug, token_id }, body: { name }, headers });
    return {
      read: async () => (await client.call('listTokens', { path: { slug } })).body.data[0]!,
      write: (headers, variant = 0) => rename(`mine ${variant}`, headers),
      editElsewhere: () => rename('theirs'),
      field: 'name',
    };
  },
  updateWebhook: () => webhookTarget('updateWebhook', (i) => ({ name: `mine ${i}`, enabled: i === 0 })),
  rotateWebhookSecret: () => webhookTarget('rotateWebhookSecret', () => ({ overlap_hours: 1 })),
  async putSso() {
    const { slug, client } = await newTeam();
    const put = (body: object, headers: Headers = {}) =>
      client.call('putSso', {
        path: { slug },
        headers,
        body: {
          issuer: provider.issuer,
          client_id: 'mine',
          domain: 'corp.test',
          enforced: false,
          default_role: 'viewer',
          role_claim: null,
          role_rules: [],
          ...body,
        },
      });
    return {
      read: async () => (await client.call('getSso', { path: { slug } })).body,
      write: (headers, variant = 0) => put({ client_id: `mine ${variant}` }, headers),
      editElsewhere: () => put({ client_id: 'mine', default_role: 'member' }),
      field: 'default_role',
    };
  },
};

async function webhookTarget(id: 'updateWebhook' | 'rotateWebhookSecret', body: (i: 0 | 1) => object) {
  const { client } = await newTeam();
  const made = await client.call('createWebhook', {
    body: { url: receiver.url, events: ['cvm.created'] },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = { webhook_id: (made.body as { id: string }).id };
  return {
    read: async () => (await client.call('getWebhook', { path })).body,
    write: (headers: Headers, variant: 0 | 1 = 0) => client.call(id, { path, headers, body: body(variant) }),
    editElsewhere: () => client.call('updateWebhook', { path, body: { events: ['cvm.deleted'] } }),
    field: 'events',
  };
}

const ids = [...Object.keys(cvmWrites), ...Object.keys(teamWrites)] as OperationId[];
const prepare = (id: OperationId) => teamWrites[id]?.() ?? cvmTarget(id);
const succeeded = ({ status }: Answer) => status >= 200 && status < 300;

describe.each(ids)('%s', (id) => {
  it('rejects a stale version, names the changed fields and changes nothing', async () => {
    const target = await prepare(id);
    const { etag } = await target.read();
    expect(succeeded(await target.editElsewhere())).toBe(true);
    const before = await target.read();
    expect(before.etag).not.toBe(etag);
    const answer = await target.write({ 'if-match': etag });
    expect(codeOf(answer)).toBe(STALE);
    const { detail } = answer.body as { detail: { message: string; details: { field: string }[] } };
    expect(detail.details.map(({ field }) => field)).toContain(target.field);
    expect(detail.message).toContain(target.field.replaceAll('_', ' '));
    expect(answer.headers.get('etag')).toBe(before.etag);
    expect(await target.read()).toEqual(before);
  });

  it('accepts the version returned with the 412', async () => {
    const target = await prepare(id);
    const { etag } = await target.read();
    await target.editElsewhere();
    const now = (await target.write({ 'if-match': etag })).headers.get('etag') ?? '';
    const answer = await target.write({ 'if-match': now });
    expect(succeeded(answer), JSON.stringify(answer.body)).toBe(true);
  });

  it.each([
    ['no header', () => ({})],
    ['the current version', (etag: string) => ({ 'if-match': etag })],
    ['a list with the current version', (etag: string) => ({ 'if-match': `"a, b", ${etag}` })],
    ['*', () => ({ 'if-match': '*' })],
  ])('accepts %s', async (_, headers) => {
    const target = await prepare(id);
    const answer = await target.write(headers((await target.read()).etag));
    expect(succeeded(answer), JSON.stringify(answer.body)).toBe(true);
  });

  it.each([
    ['a weak tag', (etag: string) => `W/${etag}`],
    ['text that is not a tag', () => 'latest'],
    ['a tag of another resource', () => '"z9.4f8Kx9.4f8Kx9"'],
  ])('rejects %s', async (_, header) => {
    const target = await prepare(id);
    const before = await target.read();
    expect(codeOf(await target.write({ 'if-match': header(before.etag) }))).toBe(STALE);
    expect(await target.read()).toEqual(before);
  });

  it('accepts one of two concurrent writes from the same version', async () => {
    const target = await prepare(id);
    const headers = { 'if-match': (await target.read()).etag };
    const answers = await Promise.all([target.write(headers, 0), target.write(headers, 1)]);
    const refused = answers.filter((answer) => !succeeded(answer));
    // Requesting the same value twice is no conflict; while an operation runs, the second request gets an
    // error saying so.
    if (SAME.has(id)) return expect(answers.some(succeeded)).toBe(true);
    expect(refused.map(({ status }) => status)).toEqual([expect.toBeOneOf([409, 412])]);
  });
});

/** Writes without a second value to set. */
const SAME: ReadonlySet<OperationId> = new Set([
  'setCvmListed',
  'setCvmMovable',
  'protectCvm',
  'unprotectCvm',
]);
