import { readPinKey } from '../../console/lib/secrets/kmsPins';
import { validateEnv } from '../../console/lib/compose/envRules';
import { cvmNameProblem } from '../../console/lib/ids';
import { ownValue } from '../../console/lib/ownValue';
import { DeployError, EXIT } from './exit';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Inputs {
  /** Origin of the server. */
  server: string;
  token: string;
  name: string;
  /** Path of the Compose file. */
  compose_file: string;
  mode: 'plan' | 'deploy';
  instance_type: string | undefined;
  /** GB. */
  disk_size: number | undefined;
  region: string | undefined;
  image: string | undefined;
  public_logs: boolean | undefined;
  /** Names of environment variables to seal; null if the app's secrets are managed elsewhere. */
  secrets: string[] | null;
  rotate_secrets: boolean;
  /** Pinned keys of the KMS, compressed, hex: several while one replaces another. */
  kms_roots: string[] | undefined;
  verify: 'required' | 'report' | 'off';
  /** Path of a policy file for the verifier. */
  policy_file: string | undefined;
  timeout_ms: number;
  on_busy: 'wait' | 'fail';
  /** Whether to comment on the pull request. */
  comment: boolean;
  github_token: string | undefined;
  pull_request: number | undefined;
  /** Path that the report is written to, as Markdown. */
  report_file: string | undefined;
}

/** Names as in action.yml, with their defaults. */
export const INPUTS = {
  server: '',
  token: '',
  name: '',
  'compose-file': 'docker-compose.yml',
  mode: 'auto',
  'instance-type': '',
  'disk-size': '',
  region: '',
  image: '',
  'public-logs': '',
  secrets: '',
  'rotate-secrets': 'false',
  'kms-root': '',
  verify: 'required',
  'policy-file': '',
  'timeout-minutes': '30',
  'on-busy': 'wait',
  comment: 'true',
  'github-token': '',
  'pull-request': '',
  'report-file': '',
} as const;
type Name = keyof typeof INPUTS;

/** Other processes of the machine can read command lines. */
const ENVIRONMENT_ONLY: readonly Name[] = ['token', 'github-token'];

/**
 * Reads the inputs, from the action (`INPUT_COMPOSE-FILE`) or a command line (`--compose-file x`,
 * `TEEHOUSE_COMPOSE_FILE`).
 * @throws {DeployError} that lists every error
 */
export function readInputs(env: Env, argv: readonly string[]): Inputs {
  const faults: string[] = [];
  const options = readOptions(argv, faults);
  const text = (name: Name): string =>
    (
      options.get(name) ??
      (ownValue(env, `INPUT_${name.toUpperCase()}`) || undefined) ??
      (ownValue(env, `TEEHOUSE_${name.toUpperCase().replaceAll('-', '_')}`) || undefined) ??
      INPUTS[name]
    ).trim();
  const optional = (name: Name): string | undefined => text(name) || undefined;
  const fault = <T>(message: string, instead: T): T => {
    faults.push(message);
    return instead;
  };
  const choice = <T extends string>(name: Name, values: readonly T[]): T =>
    values.find((value) => value === text(name)) ??
    fault(`${name} must be ${values.join(' or ')}, not “${shown(text(name))}”.`, values[0] as T);
  const number = (name: Name, most: number): number | undefined => {
    const given = optional(name);
    if (given === undefined) return undefined;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : 0;
    return value >= 1 && value <= most
      ? value
      : fault(`${name} must be a whole number from 1 to ${most}, not “${shown(given)}”.`, undefined);
  };

  const isPullRequest = ['pull_request', 'pull_request_target'].includes(env.GITHUB_EVENT_NAME ?? '');
  const mode = choice('mode', ['auto', 'plan', 'deploy']);
  const inputs: Inputs = {
    server: serverOf(text('server'), fault),
    token: text('token'),
    name: text('name'),
    compose_file: text('compose-file'),
    mode: mode === 'auto' ? (isPullRequest ? 'plan' : 'deploy') : mode,
    instance_type: optional('instance-type'),
    disk_size: number('disk-size', 65_536),
    region: optional('region'),
    image: optional('image'),
    public_logs: optional('public-logs') === undefined ? undefined : flag('public-logs'),
    secrets: secretNames(text('secrets'), fault),
    rotate_secrets: flag('rotate-secrets'),
    kms_roots: rootsOf(optional('kms-root'), fault),
    verify: choice('verify', ['required', 'report', 'off']),
    policy_file: optional('policy-file'),
    timeout_ms: (number('timeout-minutes', 1_440) ?? 30) * 60_000,
    on_busy: choice('on-busy', ['wait', 'fail']),
    comment: flag('comment'),
    github_token: optional('github-token'),
    pull_request: number('pull-request', 999_999_999),
    report_file: optional('report-file'),
  };
  if (inputs.token === '')
    faults.push(
      'token is missing: set it to an API token of your team, from a CI secret. Pull requests from forks get no secrets.',
    );
  else if (!/^[!-~]{8,512}$/.test(inputs.token))
    faults.push('token contains characters that API tokens don’t have.');
  const name = inputs.name === '' ? 'It is missing.' : cvmNameProblem(inputs.name);
  if (name !== null) faults.push(`name: ${name}`);
  if (inputs.rotate_secrets && inputs.secrets === null)
    faults.push('rotate-secrets has no effect without secrets.');
  if (faults.length > 0) throw new DeployError(EXIT.usage, faults.join('\n'));
  return inputs;

  function flag(of: Name): boolean {
    return choice(of, ['true', 'false']) === 'true';
  }
}

type Fault = <T>(message: string, instead: T) => T;

/** Returns the part of an input that a message quotes. */
const shown = (text: string) => text.slice(0, 80);

function readOptions(argv: readonly string[], faults: string[]): Map<Name, string> {
  const options = new Map<Name, string>();
  for (let i = 0; i < argv.length; i += 1) {
    const [, given = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argv[i] ?? '') ?? [];
    const name = (Object.keys(INPUTS) as Name[]).find((known) => known === given);
    if (name === undefined) {
      faults.push(
        `Unknown option “${shown(argv[i] ?? '')}”. Use one of --${Object.keys(INPUTS).join(', --')}.`,
      );
      return options;
    }
    if (ENVIRONMENT_ONLY.includes(name)) {
      faults.push(
        `--${name} would be visible to other processes. Set TEEHOUSE_${name.toUpperCase().replaceAll('-', '_')} in the environment.`,
      );
      return options;
    }
    const value = inline ?? argv[(i += 1)];
    if (value === undefined) faults.push(`--${name} has no value.`);
    else options.set(name, value);
  }
  return options;
}

/** Returns the origin. A token must not be sent in plaintext, except on this machine. */
function serverOf(given: string, fault: Fault): string {
  if (given === '') return fault('server is missing: set it to the address of your Teehouse server.', '');
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return fault(`server must be an address such as https://cloud.example.com, not “${shown(given)}”.`, '');
  if (url.username !== '' || url.password !== '')
    return fault('server must not contain a user name or password.', '');
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLocal)
    return fault('server must start with https://: otherwise, the token could be read in transit.', '');
  return url.origin;
}

/** Names separated by commas, spaces or lines. */
function secretNames(text: string, fault: Fault): string[] | null {
  const names = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))];
  if (names.length === 0) return null;
  for (const name of names)
    // A pasted value may be a secret, so it isn't quoted.
    if (name.includes('=')) return fault('secrets lists names only. Set the values in `env`.', null);
  const wrong = validateEnv(names.map((key) => ({ key, value: '' }))).find(
    ({ severity }) => severity === 'error',
  );
  return wrong
    ? fault(`secrets: ${wrong.key === undefined ? '' : `“${shown(wrong.key)}”: `}${wrong.message}`, null)
    : names;
}

/** Keys separated by commas, spaces or lines. */
function rootsOf(given: string | undefined, fault: Fault): string[] | undefined {
  const keys = given?.split(/[\s,]+/).filter((key) => key !== '');
  try {
    return keys && keys.length > 0 ? keys.map((key) => readPinKey('env', key)) : undefined;
  } catch (error) {
    return fault(`kms-root: ${error instanceof Error ? error.message : 'invalid'}`, undefined);
  }
}

/**
 * Returns the values of the secrets. They may not be empty, because CI systems set undefined secrets to an empty
 * string.
 * @throws {DeployError} that names the variables, never a value
 */
export function secretValues(names: readonly string[], env: Env): { key: string; value: string }[] {
  const missing = names.filter((name) => !ownValue(env, name));
  if (missing.length > 0)
    throw new DeployError(
      EXIT.usage,
      `Secrets without a value: ${missing.join(', ')}. Set them in the environment of this step.`,
      ['On GitHub, pass each one in `env`, as in `API_KEY: ${{ secrets.API_KEY }}`.'],
    );
  const pairs = names.map((key) => ({ key, value: ownValue(env, key) ?? '' }));
  const wrong = validateEnv(pairs).find(({ severity }) => severity === 'error');
  if (wrong) throw new DeployError(EXIT.usage, `secrets: ${wrong.message}`);
  return pairs;
}
