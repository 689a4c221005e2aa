import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTestServer, type TestServer } from '../testing/server';
import { freePort } from '../tools/postgres';
import { ROOT, run } from '../tools/run';
import { findPrometheus } from '../tools/system';
import dashboard from './grafana/teehouse.json';

/** The alert rules and the dashboard, on a real Prometheus that scrapes a running server. */

const FOLDER = path.join(ROOT, 'server/packaging/prometheus');
const RULES = path.join(FOLDER, 'teehouse.rules.yml');

const TOKEN = 'token-of-at-least-16-characters';

let server: TestServer;
let dir: string;
let prometheus: ChildProcess;
let url: string;
let tool: string;

beforeAll(async () => {
  const found = findPrometheus();
  if (found === undefined) throw new Error('no Prometheus is installed (Debian: apt-get install prometheus)');
  ({ tool } = found);
  // Without jobs, this test's alerts stay unchanged.
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', METRICS_TOKEN: TOKEN } });
  await server.register();
  dir = await mkdtemp('/tmp/teehouse-prometheus-');
  const config = path.join(dir, 'prometheus.yml');
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'teehouse', static_configs: [{ targets: [new URL(server.url).host] }] }],
    }),
  );
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  prometheus = spawn(
    found.server,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${path.join(dir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  await eventually('Prometheus is ready', async () => (await read('/-/ready').catch(() => null))?.ok || null);
});
afterAll(async () => {
  if (prometheus?.exitCode === null) {
    prometheus.kill('SIGKILL');
    await once(prometheus, 'exit');
  }
  await server?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

const read = (address: string) => fetch(`${url}${address}`);

async function query(
  expression: string,
): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
  const answer = await read(`/api/v1/query?query=${encodeURIComponent(expression)}`);
  const body = (await answer.json()) as { status: string; error?: string; data: { result: never[] } };
  expect(body.status, `${expression}: ${body.error}`).toBe('success');
  return body.data.result;
}

/** Names of firing alerts, each with its kind. */
async function firing(): Promise<string[]> {
  const { data } = (await (await read('/api/v1/alerts')).json()) as {
    data: { alerts: { state: string; labels: Record<string, string> }[] };
  };
  return data.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels }) => `${labels.alertname} ${labels.kind ?? ''}`.trim());
}

/** The dashboard's expressions, with an interval in place of Grafana's variable. */
const shown = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
);

describe('alert rules', () => {
  it('fire, and do not fire, as in their test cases', async () => {
    const ran = await run(tool, ['test', 'rules', path.join(FOLDER, 'rules.test.yml')]);
    expect(ran.output).toContain('SUCCESS');
    expect(ran.code, ran.output).toBe(0);
  });

  it('belong to a configuration that Prometheus accepts', async () => {
    const ran = await run(tool, ['check', 'config', path.join(FOLDER, 'prometheus.yml')]);
    expect(ran.code, ran.output).toBe(0);
  });

  it('forward a critical alert from the admin area until acknowledged', async () => {
    const { db } = server.services;
    await db
      .insertInto('alerts')
      .values({
        kind: 'kms_key_changed',
        subject: 'kms:1',
        severity: 'critical',
        title: 'KMS key changed',
        message: 'The KMS presents another key.',
      })
      .execute();
    await expect.poll(firing).toContain('TeehouseCriticalAlert kms_key_changed');
    await db
      .updateTable('alerts')
      .set({ acknowledged_at: new Date(), acknowledged_by: 'operator' })
      .execute();
    await expect.poll(firing).toEqual([]);
  });
});

describe('their queries', () => {
  it('use metrics exported by the server', async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const rules = await readFile(RULES, 'utf8');
    const asked = new Set(
      [...`${rules}\n${shown.join('\n')}`.matchAll(/\bteehouse_\w+/g)].map(([name]) =>
        name.replace(/(duration_seconds)_(bucket|count|sum)$/, '$1'),
      ),
    );
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].filter((name) => !served.has(name))).toEqual([]);
  });

  it('can be evaluated, and show requests and processes', async () => {
    for (const expression of shown) await query(expression);
    const value = async (expression: string) => Number((await query(expression))[0]?.value[1]);
    await expect.poll(() => value('sum(teehouse_http_request_duration_seconds_count)')).toBeGreaterThan(0);
    await expect.poll(() => value('teehouse_processes{role="web"}')).toBe(1);
  });
});

it('read metrics from another machine only with the token', async () => {
  const status = async (authorization: Record<string, string>) =>
    (
      await fetch(`${server.url}/metrics`, {
        headers: { 'x-forwarded-for': '203.0.113.7', ...authorization },
      })
    ).status;
  expect(await status({})).toBe(403);
  expect(await status({ authorization: `Bearer ${TOKEN}x` })).toBe(403);
  expect(await status({ authorization: `Basic ${TOKEN}` })).toBe(403);
  expect(await status({ authorization: `Bearer ${TOKEN}` })).toBe(200);
});

it('appear on the dashboard without overlaps', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});
