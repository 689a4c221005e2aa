/** The Helm chart: its values and the rendered manifests. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { z } from 'zod';
import { CONFIG_VARIABLES } from '../config';
import { gatherSettings } from '../configSources';
import { ROOT, VERSION } from '../root';
import { renderChart } from './testing/helmTemplate';
import { deployment, job, manifest } from './testing/kubernetesSchemas';
import schema from './helm/values.schema.json';

const CHART = path.join(ROOT, 'server/packaging/helm');
type Values = Record<string, unknown>;
type Manifest = z.infer<typeof manifest>;

const templates: Record<string, string> = {};
let defaults: Values;
let chart: Record<string, string>;

beforeAll(async () => {
  const folder = path.join(CHART, 'templates');
  for (const name of await readdir(folder)) templates[name] = await readFile(path.join(folder, name), 'utf8');
  const read = async (name: string) => parse(await readFile(path.join(CHART, name), 'utf8')) as never;
  defaults = await read('values.yaml');
  chart = await read('Chart.yaml');
});

const required = { publicUrl: 'https://cloud.example.com' };
const isValid = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(
  schema,
);
const faults = (values: Values): string[] =>
  isValid({ ...defaults, ...values })
    ? []
    : (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** Returns a release's manifests, checked against the API. */
function render(values: Values = required, release = 'cloud'): Manifest[] {
  const files = renderChart(templates, {
    Values: { ...defaults, ...values },
    Release: { Name: release, Namespace: 'default', Service: 'Helm' },
    Chart: { AppVersion: chart.appVersion },
  });
  return Object.entries(files)
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text, { uniqueKeys: true }))
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as unknown;
    })
    .filter((one) => one !== null)
    .map((one) => manifest.parse(one));
}

const named = <T>(manifests: Manifest[], type: z.ZodType<T>, name: string): T =>
  type.parse(manifests.find((one) => one.metadata.name === name));
const settingsOf = ({ env }: { env: { name: string; value: string }[] }) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

describe('the Helm chart’s values', () => {
  it('need only a public URL with https', () => {
    expect(faults(required)).toEqual([]);
    for (const publicUrl of ['', 'http://cloud.example.com', 'https://cloud.example.com/console'])
      expect(faults({ publicUrl }).join()).toMatch('/publicUrl');
  });

  it.each([
    ['a name that the chart lacks', { replicas: 3 }, 'additional properties'],
    ['a secret in the plain settings', { config: { DATABASE_URL: 'postgresql://u:p@db/x' } }, '/config'],
    ['a number where the environment has text', { config: { DRAIN_SECONDS: 20 } }, '/config/DRAIN_SECONDS'],
    ['no database', { secrets: { TEEHOUSE_SECRET: { name: 'a', key: 'b' } } }, "'DATABASE_URL'"],
    ['an ingress without a host', { ingress: { enabled: true } }, '/ingress'],
  ])('are refused with %s', (_, values, fault) => {
    expect(faults({ ...required, ...values }).join()).toContain(fault);
  });
});

describe('the Helm chart', () => {
  it('has the package’s version', () => {
    expect(chart).toMatchObject({ version: VERSION, appVersion: VERSION });
  });

  it('runs web and worker pods that share a secret and a database, from files', () => {
    const manifests = render();
    expect(manifests.map(({ kind, metadata: { name } }) => `${kind} ${name}`).sort()).toEqual([
      'Deployment cloud-web',
      'Deployment cloud-worker',
      'Job cloud-migrate',
      'PodDisruptionBudget cloud-web',
      'PodDisruptionBudget cloud-worker',
      'Service cloud',
      'ServiceAccount cloud',
    ]);
    for (const role of ['web', 'worker']) {
      const { spec } = named(manifests, deployment, `cloud-${role}`);
      const [container] = spec.template.spec.containers;
      expect(container.args).toEqual(['start', '--role', role]);
      expect(container.image).toBe(`teehouse:${VERSION}`);
      expect(settingsOf(container)).toMatchObject({
        TEEHOUSE_SECRET_FILE: '/etc/teehouse/secrets/TEEHOUSE_SECRET',
        DATABASE_URL_FILE: '/etc/teehouse/secrets/DATABASE_URL',
        LOCAL_TEEPOD: 'off',
      });
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
  });

  it('passes only known settings, and no secret values', () => {
    const names = CONFIG_VARIABLES.map(({ name }) => name);
    const { spec } = named(render(), deployment, 'cloud-web');
    for (const name of Object.keys(settingsOf(spec.template.spec.containers[0])))
      expect(names).toContain(name.replace(/_FILE$/, ''));
    const { problems } = gatherSettings(
      Object.fromEntries(
        Object.entries(settingsOf(spec.template.spec.containers[0])).filter(
          ([name]) => !name.endsWith('_FILE'),
        ),
      ),
      names,
    );
    expect(problems).toEqual([]);
  });

  it('gives no pod privileges, a writable root or a cluster token', () => {
    const manifests = render();
    const pods = [
      named(manifests, deployment, 'cloud-web').spec.template.spec,
      named(manifests, deployment, 'cloud-worker').spec.template.spec,
      named(manifests, job, 'cloud-migrate').spec.template.spec,
    ];
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('replaces pods one at a time, and restarts none during a database outage', () => {
    const { spec } = named(render(), deployment, 'cloud-web');
    const [container] = spec.template.spec.containers;
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(container.readinessProbe?.httpGet.path).toBe('/readyz');
    expect(container.livenessProbe?.httpGet.path).toBe('/healthz');
    const drain = Number(settingsOf(container).DRAIN_SECONDS);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 5);
  });

  it('migrates the database before pods are replaced, unless disabled', () => {
    const { metadata, spec } = named(render(), job, 'cloud-migrate');
    expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(spec.template.spec.containers[0].args).toEqual(['migrate']);
    // Hooks come before the release's own service account.
    expect(spec.template.spec.serviceAccountName).toBeUndefined();
    const off = render({ ...required, migration: { enabled: false, deadline: 1 } });
    expect(off.filter(({ kind }) => kind === 'Job')).toEqual([]);
  });

  it('exposes only the web pods, through an optional ingress', () => {
    const values = {
      ...required,
      ingress: { enabled: true, className: 'nginx', host: 'cloud.example.com', tlsSecret: 'cloud-tls' },
      podAnnotations: { 'example.com/note': 'a: "b"' },
      secrets: { ...(defaults.secrets as object), SMTP_URL: { name: 'mail', key: 'url' } },
    };
    expect(faults(values)).toEqual([]);
    const manifests = render(values);
    expect(manifests.find(({ kind }) => kind === 'Ingress')).toMatchObject({
      spec: { ingressClassName: 'nginx', rules: [{ host: 'cloud.example.com' }] },
    });
    expect(manifests.find(({ kind }) => kind === 'Service')).toMatchObject({
      spec: { selector: { 'app.kubernetes.io/component': 'web' } },
    });
    const { template } = named(manifests, deployment, 'cloud-web').spec;
    expect(template.metadata.annotations).toEqual({ 'example.com/note': 'a: "b"' });
    expect(settingsOf(template.spec.containers[0]).SMTP_URL_FILE).toBe('/etc/teehouse/secrets/SMTP_URL');
  });
});
