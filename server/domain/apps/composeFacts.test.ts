import { expect, it } from 'vitest';
import { analyzeCompose } from '../../../console/lib/compose/composeFile';
import { buildAppCompose } from '../../../console/lib/compose/composeHash';
import { composeFacts, loadComposeFacts } from './composeFacts';
import { Problem } from '../core/problem';

const revision = (docker_compose_file: string) => {
  const { bytes, compose_hash } = buildAppCompose({ name: 'facts', docker_compose_file });
  return { app_compose: bytes, compose_hash };
};
const WEB = 'services:\n  web:\n    image: nginx\n    ports: ["80:80"]\n';

it('parses a short file inline', () => {
  expect(composeFacts(revision(WEB)).ports).toEqual([80]);
});

it('does not parse a long file on the calling thread, and shows it in full after analysis', async () => {
  const long = revision(`${WEB}${'# and so on\n'.repeat(2_000)}`);
  expect(composeFacts(long)).toMatchObject({ services: [], ports: [], runner: 'docker-compose' });
  await loadComposeFacts([long], async (text) => analyzeCompose(text));
  expect(composeFacts(long).ports).toEqual([80]);
});

it('shows a stored file that exceeds a limit without services', async () => {
  const old = revision(`${WEB}x-old: [${'a,'.repeat(20_000)}]\n`);
  await loadComposeFacts([old], () => Promise.reject(new Problem('COMPOSE_TOO_COMPLEX')));
  expect(composeFacts(old)).toMatchObject({ services: [], ports: [] });
});
