import { expect } from 'vitest';
import type {
  AdminAiModel,
  AdminAiUpstream,
  AiGateway,
  CreatedAiKey,
  TeamAiModel,
} from '../../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient } from '../../../testing/server';
import { addMember } from '../../teams/testing/members';
import { ENGINE_COMPOSE, startCvmEngine } from './cvmEngine';

/** The owner's description of the model. */
export const BODY = {
  port: 8080,
  served_name: 'qwen3',
  api_key: 'right',
  short_name: 'qwen3',
  name: 'Qwen3',
  context_length: 8192,
  input_modalities: ['text' as const],
};

export interface Answer {
  status: number;
  body: { data?: { id: string }[]; error?: { message: string } };
}

export type TeamModelTest = Awaited<ReturnType<typeof startTeamModelTest>>;

/** A server with an administrator, a team with a model server in a CVM and a viewer, and another team. No worker runs. */
export async function startTeamModelTest() {
  const engine = await startCvmEngine();
  const server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  // The first user is an administrator.
  const admin = await server.register();
  const owner = await server.register();
  const other = await server.register();
  const asMember = async (role: 'viewer' | 'member') =>
    (await addMember(server, owner.slug!, role)).client.with({ 'x-workspace': owner.slug! });
  const host = await insertHost(db, { name: 'models' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: engine.base_domain })
    .where('id', '=', host.teepod.id)
    .execute();

  /** Creates an app of the owner's team with a CVM. */
  const addCvm = async (name: string, status: 'running' | 'stopped' = 'running') => {
    const who = await identityOf(db, owner.email!);
    const app = await insertApp(db, { ...who, host, name, compose: ENGINE_COMPOSE });
    const cvm = await insertCvm(db, { ...app, host, user_id: who.user_id, change: { status } });
    return { app_id: app.app.app_id, cvm };
  };
  const { app_id, cvm } = await addCvm('models');
  const id = `${owner.slug}/qwen3`;

  const publish = (change: object = {}, { cvm_id = cvm.vm_uuid, client = owner } = {}) =>
    client.call('publishTeamAiModel', { path: { cvm_id }, body: { ...BODY, ...change } });
  const send = async (secret: string, path: string, body?: object): Promise<Answer> => {
    const reply = await fetch(`${server.url}/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: reply.status, body: (await reply.json()) as Answer['body'] };
  };
  return {
    db,
    server,
    engine,
    admin,
    owner,
    other,
    viewer: await asMember('viewer'),
    asMember,
    addCvm,
    app_id,
    cvm,
    /** Model name in requests. */
    id,
    publish,
    async published(): Promise<TeamAiModel> {
      const { status, body } = await publish();
      expect(status, JSON.stringify(body)).toBe(201);
      return body as TeamAiModel;
    },
    own: async (client: TestClient = owner) => (await client.call('listTeamAiModels')).body as TeamAiModel[],
    offeredTo: async (client: TestClient) =>
      ((await client.call('getAiGateway')).body as AiGateway).models.filter((model) => model.is_team_model),
    async keyOf(client: TestClient, models: string[] | null = null): Promise<string> {
      const { status, body } = await client.call('createAiKey', { body: { name: 'Bot', models } });
      expect(status, JSON.stringify(body)).toBe(201);
      return (body as CreatedAiKey).secret;
    },
    send,
    ask: (secret: string, model = id) =>
      send(secret, 'chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }),
    listed: async (secret: string) => (await send(secret, 'models')).body.data?.map((model) => model.id),
    asAdmin: async () => ({
      models: (await admin.call('listAdminAiModels')).body as AdminAiModel[],
      upstreams: (await admin.call('listAdminAiUpstreams')).body as AdminAiUpstream[],
    }),
    /** Removes every model and upstream. */
    async clear() {
      engine.requests = [];
      await db.deleteFrom('ai_models').execute();
      await db.deleteFrom('ai_upstreams').execute();
    },
    async stop() {
      await server.stop();
      await engine.stop();
    },
  };
}
