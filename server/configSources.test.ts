import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config';
import { deprecationsIn } from './configVariable';

const dir = mkdtempSync(path.join(tmpdir(), 'teehouse-config-'));
afterAll(() => rmSync(dir, { recursive: true }));

const SECRET = 'a secret of more than thirty-two bytes';
let files = 0;
function file(text: string): string {
  const name = path.join(dir, String(++files));
  writeFileSync(name, text);
  return name;
}
function problemOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('a setting in its own file', () => {
  it('is read without its trailing line break', () => {
    expect(loadConfig({ TEEHOUSE_SECRET_FILE: file(`${SECRET}\n`) })).toMatchObject({
      secret: SECRET,
      warnings: [],
    });
  });

  it('is refused if the setting is also given', () => {
    const env = { TEEHOUSE_SECRET: SECRET, TEEHOUSE_SECRET_FILE: file(SECRET) };
    expect(problemOf(env)).toMatch(/TEEHOUSE_SECRET_FILE=.*\n.*set one of them/);
  });

  it.each([
    ['is missing', () => path.join(dir, 'none'), /there is none/],
    ['is a folder', () => dir, /this is a folder/],
    ['is empty', () => file(' \n'), /not empty/],
    ['is too large', () => file('x'.repeat(300_000)), /at most 262144 bytes/],
  ])('is an error, not a default, if the file %s', (_, name, expected) => {
    expect(problemOf({ TEEHOUSE_SECRET_FILE: name() })).toMatch(expected);
  });

  it('stays out of the message if its value is invalid', () => {
    const message = problemOf({ TEEHOUSE_SECRET_FILE: file('too short') });
    expect(message).toContain('TEEHOUSE_SECRET=(hidden, 9 characters)');
    expect(message).not.toContain('too short');
  });
});

describe('a configuration file', () => {
  it('gives settings that the environment overrides', () => {
    const name = file(`# Ours\nPORT=4001\nHOST="0.0.0.0"\nTEEHOUSE_SECRET_FILE=${file(SECRET)}\n`);
    expect(loadConfig({ TEEHOUSE_CONFIG: name, PORT: '4002' })).toMatchObject({
      port: 4002,
      host: '0.0.0.0',
      secret: SECRET,
    });
  });

  it('may name the authority of the trace collector', () => {
    const lines =
      'OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.test\nOTEL_EXPORTER_OTLP_CERTIFICATE=/etc/ca.pem\n';
    expect(loadConfig({ TEEHOUSE_CONFIG: file(lines) }).tracing).toMatchObject({
      certificate: '/etc/ca.pem',
    });
  });

  it('is refused with an unknown name, such as a misspelled one', () => {
    expect(problemOf({ TEEHOUSE_CONFIG: file('PROT=4001\n') })).toMatch(/PROT isn't one/);
    expect(problemOf({ TEEHOUSE_CONFIG: file('TEEHOUSE_CONFIG=/other\n') })).toMatch(
      /TEEHOUSE_CONFIG isn't one/,
    );
  });

  it('is refused if missing or with an invalid value', () => {
    expect(problemOf({ TEEHOUSE_CONFIG: path.join(dir, 'none') })).toMatch(/there is none/);
    expect(problemOf({ TEEHOUSE_CONFIG: file('PORT=many\n') })).toMatch(/PORT=many/);
  });
});

it('warns about a deprecated setting, naming its replacement, if it is set', () => {
  const variables = { OLD_URL: { deprecated: 'Set NEW_URL instead.' }, NEW_URL: {} };
  expect(deprecationsIn({ OLD_URL: 'https://x.test', NEW_URL: 'https://x.test' }, variables)).toEqual([
    'OLD_URL is deprecated. Set NEW_URL instead.',
  ]);
  expect(deprecationsIn({ OLD_URL: ' ', NEW_URL: 'https://x.test' }, variables)).toEqual([]);
});
