import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnv } from '../../../console/lib/secrets/seal';
import type { CvmDetail, Provision } from '../../../generated/api/types.gen';
import { loadConfig } from '../../config';
import { createLogger } from '../../log';
import { startServer, type RunningServer } from '../../main';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../testing/otlpReceiver';
import {
  eventually,
  PASSWORD,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ROLLOUT_TRACE = 'c0ffee2f3577b34da6a3ce929d0e0e47';
const CALLER = '00f067aa0ba902b7';

/** None of these may occur in a trace or a log line. */
const CANARY = {
  secret: 'canary-secret-7d21',
  compose: 'canary-compose-7d21',
  query: 'canary-query-7d21',
  header: 'canary-header-7d21',
};
const COMPOSE = `services:
  web:
    image: nginx:alpine
    environment:
      SECRET_WORD: \${SECRET_WORD}
      NOTE: ${CANARY.compose}
`;

/** A deployed CVM yields one trace from the request to its host calls, whichever process makes them. */
describe.each([
  ['one process', false],
  ['web and worker apart', true],
])('a deployment by %s', (_, isApart) => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  let collector: OtlpReceiver;
  let server: TestServer;
  let worker: RunningServer | undefined;
  let person: TestClient;
  let sealed: string;
  let request_id: string;
  let correlation_id: string;

  const logged = (msg: string) =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.msg === msg);
  const spans = (trace_id = TRACE) => collector.spans().filter((span) => span.trace_id === trace_id);
  const named = (name: string, trace_id = TRACE): ReceivedSpan => {
    const [found, ...more] = spans(trace_id).filter((span) => span.name === name);
    expect(more).toEqual([]);
    return found ?? expect.fail(`there is no span ${name}`);
  };

  beforeAll(async () => {
    collector = await startOtlpReceiver();
    const env = {
      // Secrets must stay out at every level.
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${CANARY.header}`,
    };
    server = await startTestServer({
      teepod: !isApart,
      env: { ...env, ...(isApart ? { TEEHOUSE_ROLE: 'web' } : {}) },
      write,
    });
    if (isApart) {
      const config = loadConfig({
        ...env,
        PORT: '0',
        DATA_DIR: server.dataDir,
        DATABASE_URL: server.database.url,
        TEEHOUSE_ROLE: 'worker',
        LOCAL_TEEPOD: 'on',
        LOCAL_TEEPOD_ENGINE: 'simulate',
        LOCAL_TEEPOD_TEAMS: 'all',
        RECONCILE_SECONDS: '1',
      });
      worker = await startServer(config, createLogger(config.logLevel, { write }));
      await eventually('the local teepod is registered with its images', () =>
        server.services.db.selectFrom('teepod_os_images').select('teepod_id').executeTakeFirst(),
      );
    }
    person = await server.register();

    const { body } = await person.call('provisionCvm', {
      body: {
        name: 'traced',
        compose_file: { docker_compose_file: COMPOSE, allowed_envs: ['SECRET_WORD'] },
      },
    });
    const { app_id, compose_hash, app_env_encrypt_pubkey } = body as Provision;
    sealed = sealEnv([{ key: 'SECRET_WORD', value: CANARY.secret }], app_env_encrypt_pubkey ?? '');
    const made = await person.call('createCvm', {
      body: { app_id, compose_hash, encrypted_env: sealed },
      headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
    });
    expect(made.status).toBe(200);
    request_id = made.headers.get('x-request-id') ?? '';
    const { vm_uuid } = made.body as { vm_uuid: string };
    await eventually('the CVM runs', async () => {
      const cvm = (await person.call('getCvm', { path: { cvm_id: vm_uuid } })).body as CvmDetail;
      return cvm.status === 'running' && !cvm.in_progress;
    });
    const operation = await server.services.db
      .selectFrom('operations')
      .select('correlation_id')
      .where('type', '=', 'deploy')
      .executeTakeFirstOrThrow();
    ({ correlation_id } = operation);
    const rollout = await person.call('createRollout', {
      path: { app_id: app_id ?? '' },
      body: { docker_compose_file: `${COMPOSE}      MORE: text\n`, settle_seconds: 0 },
      headers: { traceparent: `00-${ROLLOUT_TRACE}-${CALLER}-01` },
    });
    expect(rollout.status, JSON.stringify(rollout.body)).toBe(202);
    const search = await fetch(`${server.address}/api/v1/session?q=${CANARY.query}`, {
      headers: { cookie: person.cookie ?? '' },
    });
    expect(search.status).toBe(200);
    await eventually('the operation is exported', async () =>
      spans().some((span) => span.name === 'operation deploy'),
    );
    await eventually('the update by the rollout is exported', async () =>
      spans(ROLLOUT_TRACE).some((span) => span.name === 'operation update'),
    );
    await eventually('and so is the last request', async () =>
      collector.spans().some((span) => span.name === 'GET /api/v1/session'),
    );
  });
  afterAll(async () => {
    await worker?.stop();
    await server?.stop();
    await collector?.close();
  });

  it('is one trace: the caller’s, its request, the operation and its host calls', () => {
    const request = named('POST /api/v1/cvms');
    expect(request).toMatchObject({
      parent_id: CALLER,
      kind: 2,
      is_error: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/cvms',
        'http.response.status_code': 200,
        'teehouse.operation': 'createCvm',
        'teehouse.request_id': request_id,
      },
      resource: { 'service.name': 'teehouse', 'teehouse.role': isApart ? 'web' : 'all' },
    });
    const operation = named('operation deploy');
    expect(operation).toMatchObject({
      parent_id: request.span_id,
      kind: 5,
      is_error: false,
      attributes: {
        'teehouse.operation.type': 'deploy',
        'teehouse.operation.state': 'succeeded',
        'teehouse.correlation_id': correlation_id,
        'teehouse.request_id': request_id,
      },
      resource: { 'teehouse.role': isApart ? 'worker' : 'all' },
    });
    const created = named('dstack-vmm/CreateVm');
    expect(created).toMatchObject({
      parent_id: operation.span_id,
      kind: 3,
      is_error: false,
      attributes: {
        'rpc.service': 'dstack-vmm',
        'rpc.method': 'CreateVm',
        'server.address': expect.stringContaining('vmm.sock'),
        'teehouse.outcome': 'ok',
      },
    });
    const calls = spans().filter(({ kind }) => kind === 3);
    const below = new Set([request.span_id, operation.span_id]);
    expect(calls.filter(({ parent_id }) => !below.has(parent_id ?? ''))).toEqual([]);
    expect(calls.map(({ name }) => name)).toContain('dstack-vmm/GetInfo');
  });

  it('has its IDs in the log lines of the request and of the operation', () => {
    const [request] = logged('request').filter((line) => line.operation === 'createCvm');
    expect(request).toMatchObject({ request_id, trace_id: TRACE });
    const [finished] = logged('operation finished').filter((line) => line.correlation_id === correlation_id);
    expect(finished).toMatchObject({ request_id, trace_id: TRACE });
  });

  it('includes later steps of a rollout', () => {
    const request = named('POST /api/v1/apps/{app_id}/rollouts', ROLLOUT_TRACE);
    expect(named('operation update', ROLLOUT_TRACE)).toMatchObject({
      parent_id: request.span_id,
      attributes: { 'teehouse.operation.type': 'update', 'teehouse.operation.state': 'succeeded' },
    });
  });

  it('starts a new trace for a request without one', () => {
    const [line] = logged('request').filter((one) => one.operation === 'provisionCvm');
    const trace_id = String(line?.trace_id);
    expect(trace_id).toMatch(/^(?!0+$)[\da-f]{32}$/);
    const request = named('POST /api/v1/cvms/provision', trace_id);
    expect(request.parent_id).toBeNull();
    // The server requests the key that seals the secrets from a host.
    const calls = spans(trace_id).filter(({ kind }) => kind === 3);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.every(({ parent_id }) => parent_id === request.span_id)).toBe(true);
  });

  it('has no spans for the rounds in which workers query their hosts', () => {
    const roots = collector.spans().filter(({ parent_id }) => parent_id === null);
    expect(roots.filter(({ kind }) => kind === 3)).toEqual([]);
  });

  it('reveals no secret, compose text, credential, query or address, nor does the log at its most detailed level', () => {
    const { header, ...hidden } = CANARY;
    const values = [
      ...Object.values(hidden),
      sealed,
      PASSWORD,
      person.email ?? '',
      person.cookie?.split('=')[1] ?? '',
    ];
    expect(values.every((value) => value.length >= 10)).toBe(true);
    const bodies = collector.received.map(({ body }) => body).join('\n');
    const log = lines.join('\n');
    for (const value of values) {
      expect(bodies).not.toContain(value);
      expect(log).not.toContain(value);
    }
    // Sent to the collector as a header, and nowhere else.
    expect(collector.received.every(({ headers }) => headers['x-api-key'] === header)).toBe(true);
    expect(bodies).not.toContain(header);
    expect(log).not.toContain(header);
  });
});

describe('a collector that does not respond', () => {
  it('delays no request and loses none, and the process still ends', async () => {
    const collector = await startOtlpReceiver();
    collector.answer = () => undefined;
    const server = await startTestServer({
      env: { TEEHOUSE_ROLE: 'web', OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    });
    try {
      const ask = () => server.anonymous.call('getSession');
      // Some run before anything is exported, the others while an export hangs.
      const early = await Promise.all(Array.from({ length: 20 }, ask));
      await eventually('an export hangs', async () => collector.received.length > 0);
      const late = await Promise.all(Array.from({ length: 200 }, ask));
      expect([...early, ...late].every(({ status }) => status === 200)).toBe(true);
      const metrics = await (await fetch(`${server.address}/metrics`)).text();
      expect(metrics).toContain('teehouse_trace_spans_total{result="exported"} 0');
    } finally {
      await server.stop();
      await collector.close();
    }
  });

  it('is never contacted without OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    expect(loadConfig({ OTEL_SERVICE_NAME: 'x' }).tracing).toBeNull();
  });
});
