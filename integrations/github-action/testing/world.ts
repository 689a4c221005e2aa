import path from 'node:path';
import { expect } from 'vitest';
import { openEnv } from '../../../console/lib/secrets/seal';
import { Kms } from '../../../server/teepod/kms';
import { identityOf, insertToken } from '../../../server/testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../server/testing/server';
import { startFakeGithub, type FakeGithub } from './fakeGithub';
import { runStep, type Ran } from './runProgram';

export const COMPOSE = `services:
  web:
    image: nginx:alpine
    environment:
      API_KEY: \${API_KEY}
`;

/** Part of every secret, and never of the program's output. */
export const CANARY = 'canary-3f9a1c7e5b';

type StepOptions = Parameters<typeof runStep>[1];

/** A runner, with a real server, its built-in host (simulated containers) and fake GitHub comments. */
export interface World {
  server: TestServer;
  github: FakeGithub;
  member: TestClient;
  token: string;
  /** Runs the step for an app and checks that its output contains no secret. */
  step(name: string, options?: StepOptions): Promise<Ran>;
  newName(): string;
  cvmOf(
    name: string,
  ): Promise<{ id: string; vm_uuid: string; app_id: string; compose_hash: string; status: string }>;
  /** Newest first. */
  operationsOf(name: string): Promise<string[]>;
  /** The guest's environment. */
  secretsOf(name: string): Promise<Record<string, string>>;
  /** Bodies of the comments on a pull request, oldest first. */
  commentsOn(number: number): string[];
  /** Resets comments, requests and overrides of the fake. */
  reset(): void;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const server = await startTestServer({ teepod: true });
  const github = await startFakeGithub();
  const member = await server.register();
  const { db } = server.services;
  const scopes = ['user:profile', 'cvms:*', 'nodes:*'];
  const token = await insertToken(db, await identityOf(db, member.email!), scopes);
  let count = 0;
  const commentsOn = (number: number) => (github.comments.get(number) ?? []).map(({ body }) => body);

  return {
    server,
    github,
    member,
    token,
    async step(name, { with: inputs, env, ...rest } = {}) {
      const ran = await runStep(github, {
        compose: COMPOSE,
        ...rest,
        // The built-in host has no TEE.
        with: { server: server.address, token, name, verify: 'report', secrets: 'API_KEY', ...inputs },
        env: { API_KEY: CANARY, ...env },
      });
      for (const text of [
        ran.log,
        ran.summary,
        JSON.stringify(ran.outputs),
        ...[...github.comments.keys()].flatMap(commentsOn),
      ]) {
        expect(text).not.toContain(CANARY);
        expect(text).not.toContain(token);
      }
      return ran;
    },
    newName: () => `shop-${++count}`,
    async cvmOf(name) {
      const { body } = await member.call('getCvm', { path: { cvm_id: name } });
      const { id, vm_uuid, app_id, compose_hash, status } = body;
      return { id, vm_uuid: vm_uuid ?? '', app_id: app_id ?? '', compose_hash: compose_hash ?? '', status };
    },
    async operationsOf(name) {
      const { body } = await member.call('listCvmOperations', { path: { cvm_id: name } });
      return body.data.map(({ type, state }) => `${type} ${state}`);
    },
    async secretsOf(name) {
      const { app_id, encrypted_env } = await db
        .selectFrom('cvms')
        .innerJoin('apps', 'apps.id', 'cvms.app_id')
        .select(['apps.app_id', 'cvms.encrypted_env'])
        .where('cvms.name', '=', name)
        .executeTakeFirstOrThrow();
      const kms = await Kms.open(path.join(server.dataDir, 'teepod/kms'));
      const pairs = openEnv(encrypted_env ?? '', Buffer.from(kms.envSecret(app_id)).toString('hex'));
      return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
    },
    commentsOn,
    reset() {
      github.comments.clear();
      github.requests.length = 0;
      github.merged = [];
      github.instead = null;
    },
    async stop() {
      await github.close();
      await server.stop();
    },
  };
}
