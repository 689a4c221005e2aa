import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyzeCompose } from '../../../console/lib/compose/composeFile';
import { ROOT } from '../../root';
import { parseTemplate } from './template';

const FOLDER = join(ROOT, 'server/templates');
const ids = readdirSync(FOLDER);
const load = (id: string) =>
  parseTemplate(
    id,
    readFileSync(join(FOLDER, id, 'template.yaml'), 'utf8'),
    readFileSync(join(FOLDER, id, 'docker-compose.yml'), 'utf8'),
  );

it('at least fifteen templates come with the server', () => {
  expect(ids.length).toBeGreaterThanOrEqual(15);
});

describe.each(ids)('%s', (id) => {
  it('can be offered, and its Compose file raises no warning', () => {
    const template = load(id);
    const { findings } = analyzeCompose(template.compose_file, {
      secretNames: template.inputs.map(({ key }) => key),
    });
    const expected = template.needs.includes('guest_agent') ? ['dstack_socket', 'ports_none'] : [];
    expect(findings.map(({ code }) => code).filter((code) => !expected.includes(code))).toEqual([]);
  });

  it('publishes the ports that it describes', () => {
    const { ports, health, compose_file } = load(id);
    const published = analyzeCompose(compose_file)
      .services.flatMap((service) => service.ports)
      .map((port) => port.published?.first);
    expect(published.toSorted()).toEqual(ports.map(({ port }) => port).toSorted());
    if (health) expect(published).toContain(health.port);
  });
});

describe('a template with a fault', () => {
  const IMAGE = `nginx:1@sha256:${'a'.repeat(64)}`;
  const COMPOSE = `services:\n  web:\n    image: ${IMAGE}\n    environment:\n      KEY: \${KEY}\n`;
  const META = `name: Web
summary: A page.
description: A page that is served.
category: web
version: 1.0.0
license: MIT
resources: { memory_mb: 512, disk_gb: 10 }
inputs:
  - { key: KEY, label: Key, secret: true, generate: 32 }
verify: [The image]
changelog: [{ version: 1.0.0, date: 2026-11-25, text: First version. }]
`;
  const reasonOf = (meta: string, compose = COMPOSE, id = 'web-page') => {
    try {
      parseTemplate(id, meta, compose);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('does not include the unmodified sample, which is offered', () => {
    expect(reasonOf(META)).toBeNull();
  });

  it('does not include one whose variable without an input has a default', () => {
    expect(reasonOf(META, COMPOSE.replace('KEY: ${KEY}', 'KEY: ${KEY}${OTHER:-}'))).toBeNull();
  });

  it.each<[what: string, meta: string, compose: string | undefined, reason: RegExp]>([
    ['no YAML', 'name: [', undefined, /^template\.yaml: /],
    ['a text', 'hello', undefined, /^template\.yaml, file: /],
    ['a field missing', META.replace('license: MIT\n', ''), undefined, /license/],
    ['a field unknown', `${META}icon: x\n`, undefined, /Unrecognized key/],
    ['an alias', META.replace('summary: A page.', 'summary: &a A\nx: *a'), undefined, /alias/i],
    [
      'another version in the changelog',
      META.replace('version: 1.0.0', 'version: 2.0.0'),
      undefined,
      /changelog/,
    ],
    [
      'a secret that everyone can read',
      META.replace('generate: 32', 'default: hunter2'),
      undefined,
      /a secret can't have a default/,
    ],
    [
      'a pattern that is none',
      META.replace('generate: 32', 'generate: 32, pattern: "("'),
      undefined,
      /KEY: the pattern/,
    ],
    [
      'a default against its pattern',
      META.replace('secret: true, generate: 32', 'default: a, pattern: "b+"'),
      undefined,
      /KEY: the default/,
    ],
    ['an input that nothing uses', META, `services:\n  web:\n    image: ${IMAGE}\n`, /not used/],
    ['a variable without an input', META, COMPOSE.replace('KEY: ${KEY}', 'KEY: ${KEY}${OTHER}'), /OTHER/],
    ['an image by tag', META, COMPOSE.replace(/@sha256:a+/, ''), /web: the image needs a digest/],
    ['an image that is built', META, COMPOSE.replace(`image: ${IMAGE}`, 'build: .'), /docker-compose\.yml/],
    ['a Compose file that is none', META, 'services: 5', /docker-compose\.yml/],
    ['a huge Compose file', META, `${COMPOSE}#${'x'.repeat(70_000)}`, /longer/],
  ])('is refused for %s', (_what, meta, compose, reason) => {
    expect(reasonOf(meta, compose)).toMatch(reason);
  });

  it('is refused for its folder’s name', () => {
    expect(reasonOf(META, COMPOSE, '..')).toMatch(/folder name/);
    expect(reasonOf(META, COMPOSE, 'Über')).toMatch(/folder name/);
  });
});
