import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { INPUTS, readInputs, secretValues } from './inputs';
import { createLog } from './log';

const GIVEN = { server: 'https://cloud.example.test/', token: 'thk_api_0123456789', name: 'my-app' };
const env = (inputs: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));
const faultsOf = (inputs: Record<string, string>, argv: string[] = []): string => {
  try {
    readInputs(env(inputs), argv);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('inputs', () => {
  it('match action.yml, with the same defaults', () => {
    const action = parse(readFileSync(path.join(import.meta.dirname, 'action.yml'), 'utf8')) as {
      inputs: Record<string, { default?: string }>;
      runs: { using: string };
    };
    const presets = Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: preset = '' }]) => [name, preset]),
    );
    expect(presets).toEqual({ ...INPUTS, 'github-token': '${{ github.token }}' });
    expect(action.runs.using).toBe('node24');
  });

  it('come from options, the action or the environment, in this order', () => {
    const from = {
      ...env(GIVEN),
      'INPUT_COMPOSE-FILE': 'a.yml',
      TEEHOUSE_COMPOSE_FILE: 'b.yml',
      TEEHOUSE_REGION: 'eu',
    };
    expect(readInputs(from, ['--compose-file', 'c.yml'])).toMatchObject({
      compose_file: 'c.yml',
      region: 'eu',
      server: 'https://cloud.example.test',
    });
    expect(readInputs(from, []).compose_file).toBe('a.yml');
  });

  it('plan in pull requests and deploy otherwise, unless the mode is set', () => {
    const mode = (name: string, given = 'auto') =>
      readInputs({ ...env({ ...GIVEN, mode: given }), GITHUB_EVENT_NAME: name }, []).mode;
    expect([mode('pull_request'), mode('push'), mode('pull_request', 'deploy')]).toEqual([
      'plan',
      'deploy',
      'deploy',
    ]);
  });

  it('can pin two root keys, while one replaces the other', () => {
    const roots = [
      '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538',
      '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f',
    ];
    const read = (given: string) => readInputs(env({ ...GIVEN, 'kms-root': given }), []).kms_roots;
    expect(read(roots.join(', '))).toEqual(roots);
    expect(read(`0x${roots[0]}`)).toEqual([roots[0]]);
    expect(read('')).toBeUndefined();
    expect(faultsOf({ ...GIVEN, 'kms-root': `${roots[0]},abcd` })).toContain('kms-root');
  });

  it('lists all errors together', () => {
    const faults = faultsOf({ server: 'ftp://x', name: '9', 'disk-size': '-1', verify: 'maybe' });
    for (const part of [
      'server must be',
      'token is missing',
      'name: ',
      'disk-size must be',
      'verify must be',
    ])
      expect(faults).toContain(part);
  });

  it.each([
    [{ server: 'http://cloud.example.test' }, 'https://'],
    [{ server: 'https://a:b@cloud.example.test' }, 'user name'],
    [{ secrets: 'API_KEY=abc' }, 'names only'],
    [{ secrets: '1BAD' }, 'can’t start with a digit'],
    [{ 'kms-root': 'abcd' }, 'kms-root'],
    [{ 'rotate-secrets': 'true' }, 'no effect'],
    [{ token: 'two words' }, 'API tokens don’t have'],
  ])('refuses %j', (given, reason) => {
    expect(faultsOf({ ...GIVEN, ...given } as Record<string, string>)).toContain(reason);
    expect(faultsOf({ ...GIVEN, ...given } as Record<string, string>)).not.toMatch(/abc\b|two words/);
  });

  it('accepts plain http on this machine only', () => {
    expect(faultsOf({ ...GIVEN, server: 'http://127.0.0.1:3000' })).toBe('');
    expect(faultsOf({ ...GIVEN, server: 'http://127.0.0.1.example.test' })).toContain('https://');
  });

  it('refuses tokens on the command line, where other processes can see them', () => {
    const faults = faultsOf({ ...GIVEN }, ['--token', 'thk_api_visible']);
    expect(faults).toContain('TEEHOUSE_TOKEN');
    expect(faults).not.toContain('thk_api_visible');
    expect(faultsOf({ ...GIVEN }, ['--colour', 'blue'])).toContain('Unknown option “--colour”');
  });

  it('names secrets without a value', () => {
    expect(() => secretValues(['SET', 'EMPTY', 'toString'], { SET: '1', EMPTY: '' })).toThrow(
      'Secrets without a value: EMPTY, toString.',
    );
  });
});

describe('the log', () => {
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line), { workflow: true });

  it('masks secrets in all output, line by line', () => {
    log.hide('first-canary\nsecond-canary');
    log.hide('on');
    expect(lines.splice(0)).toEqual([
      '::add-mask::first-canary%0Asecond-canary',
      '::add-mask::first-canary',
      '::add-mask::second-canary',
    ]);
    log.info('first-canary and second-canary are on');
    log.error('failed with second-canary');
    expect(lines.splice(0)).toEqual(['*** and *** are on', '::error::failed with ***']);
    expect(log.clean('x first-canary\nsecond-canary y')).toBe('x *** y');
  });

  it('passes no commands to the runner and no control characters to the terminal', () => {
    log.info('::set-output name=x::y');
    log.info('  ::stop-commands::z');
    log.info('a ##[command]b');
    log.warning('50%\n::error::\u001b[2J');
    expect(lines.splice(0)).toEqual([
      ': :set-output name=x::y',
      '  : :stop-commands::z',
      'a ## [command]b',
      '::warning::50%25%0A: :error::\u{fffd}[2J',
    ]);
  });
});
