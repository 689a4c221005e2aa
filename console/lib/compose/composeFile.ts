// Checks a Compose file while the user types: what docker compose would reject and what would surprise the user
// later, each with its position. Reads the text and never rewrites it.

import { LineCounter } from 'yaml';
import { cutWhole } from '../texts/cutWhole';
import { hasLoneSurrogate } from '../bytes';
import { ownValue } from '../ownValue';
import { TOP_FIELDS, nearest } from './fields';
import { type Finding, Findings } from './findings';
import { inheritedOf, type Inherited } from './inherited';
import { Ports } from './ports';
import { type ComposeService, type Definitions, checkService } from './service';
import { TooDeep } from './parse';
import { ComposeSource, type Field, TooComplex, join, kindOf, scalarText, start } from './source';
import { type ComposeVariable, VariableUses } from './variables';
import { composeSize } from './composeHash';

export type { Finding, FindingCode, Severity } from './findings';
export { type ComposePort, isLoopback } from './ports';
export type { ComposeService } from './service';
export type { ComposeVariable } from './variables';

export interface ComposeAnalysis {
  /** False if a finding is an error: docker compose would reject the file. */
  ok: boolean;
  /** In file order. */
  findings: Finding[];
  services: ComposeService[];
  variables: ComposeVariable[];
  /** Names of secrets that neither the file nor the pre-launch script uses. */
  unusedSecrets: string[];
}

export interface ComposeContext {
  /** Names of the secrets that will be encrypted for this app. */
  secretNames?: readonly string[] | undefined;
  /** Runs before the containers; a secret used only there still counts as used. */
  preLaunchScript?: string | undefined;
  /** Only local teepods are eligible, so what they reject can't be deployed. */
  onlyLocal?: boolean | undefined;
}

/** The largest public Compose files have about 80. */
const MAX_SERVICES = 256;

/** Never throws; bounded in time for any text. */
export function analyzeCompose(text: string, context: ComposeContext = {}): ComposeAnalysis {
  const counter = new LineCounter();
  const locate = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const findings = new Findings(locate, context.onlyLocal);
  const analysis: ComposeAnalysis = {
    ok: false,
    findings: [],
    services: [],
    variables: [],
    unusedSecrets: [],
  };
  const size = composeSize(text, context.preLaunchScript);
  if (!size.fits) findings.add('too_large', 0, '', `The text is ${size.bytes} bytes long.`);
  else {
    try {
      analyze(text, context, findings, counter, locate, analysis);
    } catch (error) {
      if (!(error instanceof TooComplex || error instanceof TooDeep || error instanceof RangeError))
        throw error;
      const { message, at, path } =
        error instanceof TooComplex
          ? error
          : new TooComplex(error instanceof TooDeep ? error.message : undefined);
      findings.add('too_complex', at, path, message);
      analysis.services = [];
      analysis.variables = [];
      analysis.unusedSecrets = [];
    }
  }
  analysis.findings = findings.sorted();
  analysis.ok = !analysis.findings.some((finding) => finding.severity === 'error');
  return analysis;
}

function analyze(
  text: string,
  { secretNames = [], preLaunchScript = '' }: ComposeContext,
  findings: Findings,
  counter: LineCounter,
  locate: (offset: number) => { line: number; column: number },
  analysis: ComposeAnalysis,
): void {
  const source = ComposeSource.parse(text, counter, findings);
  if (hasLoneSurrogate(text))
    findings.add(
      'not_unicode',
      text.search(/\p{Surrogate}/u),
      '',
      'The text contains an unpaired surrogate here.',
    );
  if (!source) return;
  if (source.follow(source.root) === null) {
    findings.add('file_empty', 0, '', 'The file is empty.');
    return;
  }
  if (kindOf(source.follow(source.root)) !== 'mapping') {
    const kind = kindOf(source.follow(source.root));
    findings.add('wrong_type', start(source.root), '', `The file is a ${kind}, not a mapping.`);
    return;
  }

  const top = source.fields(source.root);
  for (const [name, { keyAt, at, value }] of top) {
    const kinds = ownValue(TOP_FIELDS, name);
    if (!kinds) {
      if (name.startsWith('x-')) continue;
      if (findings.isFull('unknown_field')) continue;
      const meant = nearest(name, Object.keys(TOP_FIELDS));
      const hint = meant ? `; did you mean ${meant}?` : '.';
      const message = `${cutWhole(name, 80)} is not a Compose field${hint}`;
      findings.add('unknown_field', keyAt, join('', name), message);
    } else if (!kinds.includes(kindOf(value)) && name !== 'services')
      findings.add('wrong_type', at, name, `${name} must be a ${kinds[0]}, not a ${kindOf(value)}.`);
  }
  const version = top.get('version');
  if (version) findings.add('version_obsolete', version.keyAt, 'version', 'version is obsolete.');

  const names = (name: string) => new Set(source.fields(top.get(name)?.value).keys());
  const definitions: Definitions = {
    services: names('services'),
    volumes: names('volumes'),
    networks: names('networks').add('default'),
    internal: internalNetworks(source, top.get('networks')?.value),
    secrets: names('secrets'),
    configs: names('configs'),
  };
  const ports = new Ports(source, findings);
  const uses = new VariableUses(source, findings);
  const services = top.get('services');
  if (services?.value && kindOf(services.value) !== 'mapping') {
    const kind = kindOf(services.value);
    findings.add('wrong_type', services.at, 'services', `services must be a mapping, not a ${kind}.`);
  } else if (definitions.services.size === 0) {
    const at = services?.keyAt ?? start(source.root);
    findings.add('services_missing', at, 'services', 'The file defines no services.');
  }
  const defined = source.fields(services?.value);
  if (defined.size > MAX_SERVICES) {
    const message = `The file has ${defined.size} services; the limit is ${MAX_SERVICES}. Split it into several apps.`;
    throw new TooComplex(message, services?.keyAt, 'services');
  }
  const inherited = inheritedOf(source, defined);
  for (const field of defined.values()) {
    const { line } = locate(field.keyAt);
    const context = { source, findings, ports, uses, definitions, inherited: inherited.get(field.key), line };
    analysis.services.push(checkService(field, context));
  }
  inheritPorts(source, findings, defined, analysis.services, inherited);
  if (analysis.services.length > 0 && !ports.any)
    findings.add('ports_none', services?.keyAt ?? 0, 'services', 'No service publishes a port.');
  uses.walk(source.root, '');
  Object.assign(analysis, uses.finish(secretNames, preLaunchScript, locate));
}

/**
 * Adds the ports that services take from others, without those they publish themselves. Two services that run can't
 * both publish them.
 */
function inheritPorts(
  source: ComposeSource,
  findings: Findings,
  defined: ReadonlyMap<string, Field>,
  services: readonly ComposeService[],
  inherited: ReadonlyMap<string, Inherited>,
): void {
  if (inherited.size === 0) return;
  const own = new Map(services.map(({ name, ports }) => [name, ports]));
  const running = new Set([...defined.values()].flatMap((field) => (runs(source, field) ? [field.key] : [])));
  for (const service of services) {
    const bases = inherited.get(service.name)?.bases ?? [];
    const taken = bases.flatMap((name) => (own.get(name) ?? []).map((port) => ({ name, port })));
    if (taken.length === 0) continue;
    source.spend(taken.length);
    // docker compose compares entries in the same way.
    const ports = new Map(service.ports.map((port) => [JSON.stringify(port), port]));
    const added = taken.filter(({ port }) => !ports.has(JSON.stringify(port)));
    for (const { port } of added) ports.set(JSON.stringify(port), port);
    service.ports = [...ports.values()];
    const field = defined.get(service.name);
    if (!field || !running.has(field.key) || replacesPorts(source, field)) continue;
    const clash = added.find(({ name, port }) => port.published && running.has(name));
    if (!clash) continue;
    const at = source.fields(field.value).get('extends')?.at ?? field.keyAt;
    const message = `Port ${clash.port.published?.first} is already published by ${clash.name}, whose ports ${service.name} takes.`;
    findings.add('port_conflict', at, join(join('services', service.name), 'extends'), message, service.name);
  }
}

/** Whether docker compose starts the service. */
function runs(source: ComposeSource, { value }: Field): boolean {
  const fields = source.fields(value);
  const replicas = source.fields(fields.get('deploy')?.value).get('replicas') ?? fields.get('scale');
  return !fields.has('profiles') && scalarText(replicas?.value ?? null) !== '0';
}

/** Whether a tag such as `!override` drops the ports of the extended service. */
function replacesPorts(source: ComposeSource, field: Field): boolean {
  const tag = source.fields(field.value).get('ports')?.value?.tag;
  return tag === '!override' || tag === '!reset';
}

/** Returns the networks whose containers can't reach anything outside. */
function internalNetworks(source: ComposeSource, networks: unknown): ReadonlySet<string> {
  const isInternal = ({ value }: Field) => {
    const fields = source.fields(value);
    return scalarText(fields.get('internal')?.value ?? null) === 'true' && !fields.has('external');
  };
  return new Set([...source.fields(networks)].flatMap(([name, field]) => (isInternal(field) ? [name] : [])));
}
