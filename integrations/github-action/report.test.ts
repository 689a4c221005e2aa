import { describe, expect, it } from 'vitest';
import { codeBlock, codeSpan } from './markdown';
import type { Plan } from './plan';
import { markdown, type Report } from './report';
import { outsideCode } from './testing/runProgram';

/** Texts that try to escape their place in a comment. */
const HOSTILE = [
  '```',
  '``````````',
  '~~~',
  '</details>',
  '<img src=x onerror=alert(1)>',
  '@everyone please look',
  'closes #1',
  '[link](javascript:alert(1))',
  '| a | b |',
  '`` ` `` @team',
  'a\u202eb\u0007c\r\nd',
];

const side = (docker_compose_file: string): Plan['after'] => ({
  compose_hash: 'ab'.repeat(32),
  docker_compose_file,
  hourly: '0.058',
  size: 'tdx.small, 20 GB disk',
});
const planOf = (before: string, after: string): Plan => ({
  action: 'update',
  before: side(before),
  after: side(after),
  env: { added: ['NEW'], removed: ['OLD'], names: ['NEW'], managed: true },
  seals: true,
  count: 1,
  warnings: HOSTILE,
  refusal: HOSTILE.join(' '),
  hash_agrees: true,
  create: null,
  patch: {},
});
const reportOf = (plan: Plan | null): Report => ({
  name: 'my-app',
  mode: 'plan',
  plan,
  failure: null,
  verified: [],
  not_verified: null,
  cvm_url: 'https://cloud.example.test/acme/cvms/1',
  verify_url: null,
  source: { commit: 'c0ffee', run_url: null },
});

describe('code', () => {
  it.each(HOSTILE)('contains %j in a block and in a span', (text) => {
    for (const shown of [codeBlock(text), codeBlock(`${text}\n${text}`), `a ${codeSpan(text)} b`]) {
      const rest = outsideCode(shown);
      expect(rest).not.toMatch(/@|<|#|javascript|\|/);
      expect(shown).not.toMatch(/[\u0007\u202e\r]/);
    }
  });
});

describe('the report', () => {
  it('shows untrusted texts only as code', () => {
    const text = markdown({
      ...reportOf(planOf('services: {}\n', HOSTILE.join('\n'))),
      failure: { message: HOSTILE.join('\n'), advice: HOSTILE },
      verified: [
        {
          vm_uuid: null,
          name: HOSTILE.join(' '),
          state: 'not verified',
          line: HOSTILE.join(' '),
          checks: [{ title: 'Compose hash', state: 'failed', detail: HOSTILE.join(' '), required: true }],
          from_server: ['app ID'],
          trusted: HOSTILE,
        },
      ],
    });
    const rest = outsideCode(text);
    expect(rest).not.toMatch(/@|onerror|javascript|closes #1/);
    expect(rest.match(/<details>/g)).toHaveLength(2);
    expect(rest.match(/<\/details>/g)).toHaveLength(2);
    expect(rest.replaceAll(/<\/?(details|summary)>/g, '')).not.toMatch(/[<>]/);
  });

  it('compares hash, size, cost per hour and month', () => {
    const plan = planOf('a: 1\n', 'a: 2\n');
    const text = markdown(
      reportOf({
        ...plan,
        after: { ...plan.after, hourly: '0.116', size: 'tdx.medium, 20 GB disk' },
        warnings: [],
        refusal: null,
      }),
    );
    expect(text).toContain('| Cost while running | $0.058/h | $0.116/h |');
    expect(text).toContain('| Cost of 730 hours | $42.34/month | $84.68/month |');
    expect(text).toContain('added `NEW`; removed `OLD`');
    expect(text).toContain('```diff\n-a: 1\n+a: 2\n```');
    expect(text).toContain('[CVM](https://cloud.example.test/acme/cvms/1)');
  });

  it('folds unchanged lines and stays within GitHub’s limit', () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `# ${i} ${'x'.repeat(50)}`);
    const changed = lines.with(2_500, 'changed: true');
    const folded = markdown(reportOf(planOf(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`)));
    expect(folded).toContain('unchanged lines @@');
    expect(folded).toContain('+changed: true');
    const replaced = markdown(
      reportOf(planOf(`${lines.join('\n')}\n`, lines.map((line) => `${line}!`).join('\n'))),
    );
    expect(replaced).toMatch(/@@ \d+ more lines @@/);
    for (const text of [folded, replaced]) expect(text.length).toBeLessThan(65_536);
  });
});
