// The checks of a single service, a few lines each; findings.ts explains them.

import { isMap } from 'yaml';
import { cutWhole } from '../texts/cutWhole';
import { ownValue } from '../ownValue';
import { SERVICE_FIELDS, nearest } from './fields';
import type { Findings, FindingCode } from './findings';
import { hasRestart, type Inherited } from './inherited';
import type { ComposePort, Ports } from './ports';
import { type ComposeSource, type Field, join, kindOf, scalarText } from './source';
import type { VariableUses } from './variables';

export interface ComposeService {
  name: string;
  /** 1-based line of the service's name. */
  line: number;
  image: string | null;
  ports: ComposePort[];
  /** Names of the variables this service references, in order of first use. */
  envRefs: string[];
  /** Whether the file allows it to connect to outside addresses. */
  hasEgress: boolean;
}

/** Names defined at the top level, which services may refer to. */
export interface Definitions {
  services: ReadonlySet<string>;
  volumes: ReadonlySet<string>;
  networks: ReadonlySet<string>;
  /** Networks without access to the outside. */
  internal: ReadonlySet<string>;
  secrets: ReadonlySet<string>;
  configs: ReadonlySet<string>;
}

/** Whether an image name ends in a digest and so identifies the code. */
export const isPinned = (image: string): boolean => DIGEST.test(image);

const DIGEST = /@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;
const IMAGE =
  /^(?:[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d+)?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,})?$/;
const SECRET_KEY = /(PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|CREDENTIALS?)$/i;

export function checkService(
  field: Field,
  context: {
    source: ComposeSource;
    findings: Findings;
    ports: Ports;
    uses: VariableUses;
    definitions: Definitions;
    inherited: Inherited | undefined;
    line: number;
  },
): ComposeService {
  const { source, findings, definitions, inherited } = context;
  const service = field.key;
  const path = join('services', service);
  const add = (code: FindingCode, at: number, where: string, message: string) =>
    findings.add(code, at, where, message, service);
  const result: ComposeService = {
    name: service,
    line: context.line,
    image: null,
    ports: [],
    envRefs: [],
    hasEgress: true,
  };

  if (!/^[a-zA-Z0-9._-]+$/.test(service))
    add('service_name', field.keyAt, path, `“${cutWhole(service, 80)}” is not a valid service name.`);
  if (!isMap(field.value)) {
    const message = `${service} must be a mapping (image: …), not ${a(kindOf(field.value))}.`;
    add(field.value ? 'wrong_type' : 'image_missing', field.at, path, message);
    return result;
  }

  const fields = source.fields(field.value);
  for (const [name, { keyAt, at, value }] of fields) {
    const kinds = ownValue(SERVICE_FIELDS, name);
    const where = join(path, name);
    if (!kinds) {
      if (name.startsWith('x-')) continue;
      if (findings.isFull('unknown_field')) continue;
      const meant = nearest(name, Object.keys(SERVICE_FIELDS));
      const message = `${name} is not a service field${meant ? `; did you mean ${meant}?` : '.'}`;
      add('unknown_field', keyAt, where, message);
    } else if (!kinds.includes(kindOf(value)))
      add('wrong_type', at, where, `${name} must be ${a(kinds[0]!)}, not ${a(kindOf(value))}.`);
  }

  const at = (name: string) => fields.get(name)?.at ?? field.keyAt;
  const text = (name: string) => scalarText(fields.get(name)?.value ?? null);
  const where = (name: string) => join(path, name);

  result.image = text('image');
  if (result.image === null || result.image === '') {
    const lacks = !fields.has('image') || fields.get('image')?.value === null || result.image === '';
    result.image = inherited?.image ?? null;
    if (lacks && result.image === null && (!inherited || inherited.end === 'here'))
      add('image_missing', field.keyAt, path, `${service} has no image.`);
  } else checkImage(result.image, (code, message) => add(code, at('image'), where('image'), message));
  if (fields.has('build') && result.image)
    add('build_ignored', at('build'), where('build'), 'A CVM has no source to build from.');

  if (inherited) checkBase(inherited);

  const platform = text('platform');
  if (platform !== null && !platform.includes('$') && !/^(linux\/)?(amd64|x86_64)/.test(platform))
    add('platform', at('platform'), where('platform'), `The platform is ${platform}.`);

  result.ports = context.ports.read(fields.get('ports'), service, where('ports'));
  const mayInheritPorts = inherited !== undefined && (inherited.hasPorts || inherited.end === 'elsewhere');
  if (fields.has('expose') && result.ports.length === 0 && !mayInheritPorts)
    add('ports_unpublished', at('expose'), where('expose'), `${service} publishes no port.`);

  checkEnvironment();
  if (fields.has('env_file'))
    add('env_file', at('env_file'), where('env_file'), 'env_file references another file.');
  if (text('privileged') === 'true')
    add('privileged', at('privileged'), where('privileged'), `${service} runs privileged.`);
  for (const name of ['network_mode', 'pid', 'ipc', 'userns_mode', 'uts'])
    if (text(name) === 'host') add('host_namespace', at(name), where(name), `${name} is host.`);
  source.items(fields.get('volumes')?.value).forEach((item, i) => {
    checkVolume(item.value, item.at, `${where('volumes')}[${i}]`);
  });
  if (fields.has('container_name'))
    add(
      'container_name',
      at('container_name'),
      where('container_name'),
      `${service} has a fixed container name.`,
    );
  if (!hasRestart(source, fields) && (!inherited || (inherited.end === 'here' && !inherited.hasRestart)))
    add('restart_missing', field.keyAt, path, `${service} has no restart policy.`);

  checkReferences('depends_on', definitions.services, 'service');
  checkReferences('networks', definitions.networks, 'network');
  checkReferences('secrets', definitions.secrets, 'secret');
  checkReferences('configs', definitions.configs, 'config');

  result.hasEgress = !isCutOff();

  const refs = new Set<string>(result.envRefs);
  context.uses.walk(field.value, path, refs);
  result.envRefs = [...refs];
  return result;

  function checkBase({ base, end }: Inherited): void {
    const name = cutWhole(base, 80);
    const [code, message] = (
      {
        here: ['extends', `${service} extends ${name}.`],
        elsewhere: ['extends_file', `${service} extends a service that isn’t in this file.`],
        unknown: ['reference_unknown', `There is no service ${name} to extend.`],
        loop: ['extends_loop', `${service} extends itself.`],
      } as const
    )[end];
    add(code, at('extends'), where('extends'), message);
  }

  function isCutOff(): boolean {
    // Networks are added to those it takes from another service.
    if (inherited) return false;
    if (fields.has('network_mode')) return text('network_mode') === 'none';
    const value = fields.get('networks')?.value;
    const joined = [
      ...source.fields(value).keys(),
      ...source.items(value).map((item) => scalarText(item.value)),
    ];
    return joined.length > 0 && joined.every((name) => name !== null && definitions.internal.has(name));
  }

  function checkEnvironment(): void {
    const environment = fields.get('environment');
    const each = (name: string, value: string | null, place: number, spot: string) => {
      if (value === null) {
        if (!/^[A-Za-z_]\w*$/.test(name)) return;
        context.uses.passThrough(name, place, spot);
        result.envRefs.push(name);
      } else if (value !== '' && !value.includes('$') && SECRET_KEY.test(name))
        add('secret_in_clear', place, spot, `${name} looks like a secret and is stored in plain text.`);
    };
    for (const [name, { value, keyAt }] of source.fields(environment?.value))
      each(name, value === null ? null : scalarText(value), keyAt, join(where('environment'), name));
    source.items(environment?.value).forEach((item, i) => {
      const entry = scalarText(item.value);
      const spot = `${where('environment')}[${i}]`;
      if (entry === null) add('wrong_type', item.at, spot, 'Each entry must be a string such as NAME=value.');
      else {
        const equals = entry.indexOf('=');
        const [name, value] = equals < 0 ? [entry, null] : [entry.slice(0, equals), entry.slice(equals + 1)];
        each(name, value, item.at, spot);
      }
    });
  }

  function checkVolume(value: Field['value'], place: number, spot: string): void {
    const long = source.fields(value);
    const short = scalarText(value);
    const type = scalarText(long.get('type')?.value ?? null);
    let from = scalarText(long.get('source')?.value ?? null);
    if (short !== null) from = short.includes(':') ? short.slice(0, short.indexOf(':')) : null;
    if (from === null || from === '' || from.includes('$') || type === 'tmpfs') return;
    if (from.endsWith('docker.sock'))
      add('docker_socket', place, spot, `${service} mounts the Docker socket.`);
    else if (/\/(dstack|tappd)\.sock$/.test(from) || from === '/var/run/dstack')
      add('dstack_socket', place, spot, `${service} mounts the guest agent’s socket.`);
    else if (from.startsWith('/')) add('host_mount', place, spot, `${from} is mounted from the CVM.`);
    else if (/^[.~]/.test(from))
      add('mount_relative', place, spot, `${from} is mounted, a path relative to this file.`);
    else if (type !== 'bind' && !definitions.volumes.has(from))
      add('reference_unknown', place, spot, `${from} is not declared under volumes.`);
  }

  function checkReferences(name: string, defined: ReadonlySet<string>, noun: string): void {
    const value = fields.get(name)?.value;
    const refer = (target: string | null, place: number, spot: string) => {
      if (target === null || target.includes('$') || defined.has(target)) return;
      add('reference_unknown', place, spot, `There is no ${noun} ${cutWhole(target, 80)}.`);
    };
    for (const [target, { keyAt }] of source.fields(value)) refer(target, keyAt, join(where(name), target));
    source.items(value).forEach((item, i) => {
      const long = scalarText(source.fields(item.value).get('source')?.value ?? null);
      refer(scalarText(item.value) ?? long, item.at, `${where(name)}[${i}]`);
    });
  }
}

function checkImage(image: string, add: (code: FindingCode, message: string) => void): void {
  if (image.includes('$')) {
    add('image_variable', 'The image is set by a variable.');
  } else if (image.length > 512 || !IMAGE.test(image)) {
    add('image_invalid', `“${cutWhole(image, 80)}” is not a valid image name.`);
  } else if (!isPinned(image)) {
    const tag = /:([^:/]+)$/.exec(image)?.[1];
    if (tag === undefined) add('image_latest', `${image} has no tag, which means latest.`);
    else if (tag === 'latest') add('image_latest', `${image} follows the tag latest.`);
    else add('image_no_digest', `${image} is not pinned by a digest.`);
  }
}

function a(kind: string): string {
  return kind === 'nothing' ? 'empty' : `a ${kind}`;
}
