import { expect, test } from 'vitest';
import { analyzeCompose } from '../../../lib/compose/composeFile';
import { publishedValues } from './published';

const compose = 'services:\n  web:\n    image: nginx:1.27 # pinned later\n  db:\n    image: "postgres:17"\n';
const cvm = {
  name: 'shop-1',
  app_name: 'shop',
  app_id: 'ab'.repeat(20),
  os: { name: 'dstack-0.6.0' },
  public_logs: false,
  kms: { slug: 'local' },
  workspace: { name: 'Acme' },
  services: analyzeCompose(compose).services,
  compose_file: {
    docker_compose_file: compose,
    allowed_envs: ['API_KEY', 'DATABASE_URL'],
    pre_launch_script: 'echo secret-host.internal',
  },
} as unknown as Parameters<typeof publishedValues>[0];

test('lists the values that become public, including names of secrets and scripts', () => {
  const shown = publishedValues(cvm).join('\n');
  for (const value of [
    'Acme',
    'nginx:1.27, postgres:17',
    'API_KEY, DATABASE_URL',
    'pre-launch script',
    'shop-1',
  ])
    expect(shown).toContain(value);
  expect(shown).not.toContain('secret-host');
});

test('lists images in flow style, from anchors and from merged services', () => {
  const text = [
    'x-base: &base { image: "redis:8" }',
    'x-image: &pg postgres:17',
    'services:',
    '  cache: { <<: *base }',
    '  web: { image: nginx:1.27, command: ["run", "image: none"] }',
    '  db: { image: *pg }',
    '',
  ].join('\n');
  const { services } = analyzeCompose(text);
  expect(publishedValues({ ...cvm, services } as never).join('\n')).toContain(
    'images: redis:8, nginx:1.27, postgres:17.',
  );
});

test('says that nothing would be revealed', () => {
  const file = { docker_compose_file: 'services: {}\n' } as never;
  const shown = publishedValues({ ...cvm, services: [], compose_file: file }).join('\n');
  expect(shown).toContain('No secret names');
  expect(shown).not.toContain('script');
});

test('shortens long lists', () => {
  const allowed_envs = Array.from({ length: 30 }, (_, i) => `NAME_${i}`);
  const file = { ...cvm.compose_file, allowed_envs } as never;
  expect(publishedValues({ ...cvm, compose_file: file }).join('\n')).toContain('NAME_19 and 10 more.');
});
