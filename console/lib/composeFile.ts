// Preflight of a compose file while it is typed: what docker compose would refuse, and what would
// surprise the person later, each with its place. It reads the text and never writes it again.

import { LineCounter } from 'yaml';
import { hasLoneSurrogate } from './bytes';
import { TOP_FIELDS, nearest } from './compose/fields';
import { type Finding, Findings } from './compose/findings';
import { Ports } from './compose/ports';
import { type ComposeService, type Definitions, checkService } from './compose/service';
import { ComposeSource, TooComplex, join, kindOf, start } from './compose/source';
import { type ComposeVariable, VariableUses } from './compose/variables';
import { composeSize } from './composeHash';

export type { Finding, FindingCode, Severity } from './compose/findings';
export type { ComposePort } from './compose/ports';
export type { ComposeService } from './compose/service';
export type { ComposeVariable } from './compose/variables';

export interface ComposeAnalysis {
  /** False when a finding is an error: docker compose would refuse the file. */
  ok: boolean;
  /** In the order of the file. */
  findings: Finding[];
  services: ComposeService[];
  variables: ComposeVariable[];
}

export interface ComposeContext {
  /** Names of the secrets that will be sealed for this app. */
  secretNames?: readonly string[] | undefined;
  /** Runs before the containers; a secret used there only counts as used. */
  preLaunchScript?: string | undefined;
}

/** Never throws; bounded in time for any text. */
export function analyseCompose(text: string, context: ComposeContext = {}): ComposeAnalysis {
  const counter = new LineCounter();
  const locate = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const findings = new Findings(locate);
  const analysis: ComposeAnalysis = { ok: false, findings: [], services: [], variables: [] };
  const size = composeSize(text, context.preLaunchScript);
  if (!size.fits) findings.add('too_large', 0, '', `The text is ${size.bytes} bytes long.`);
  else {
    try {
      analyse(text, context, findings, counter, locate, analysis);
    } catch (error) {
      // The parser recurses with the nesting of the text.
      if (!(error instanceof TooComplex || error instanceof RangeError)) throw error;
      findings.add('too_complex', 0, '', 'The file is too complex to check.');
    }
  }
  analysis.findings = findings.sorted();
  analysis.ok = !analysis.findings.some((finding) => finding.severity === 'error');
  return analysis;
}

function analyse(
  text: string,
  { secretNames = [], preLaunchScript = '' }: ComposeContext,
  findings: Findings,
  counter: LineCounter,
  locate: (offset: number) => { line: number; column: number },
  analysis: ComposeAnalysis,
): void {
  if (nestsTooDeep(text)) throw new TooComplex();
  const source = ComposeSource.parse(text, counter, findings);
  if (hasLoneSurrogate(text))
    findings.add(
      'not_unicode',
      text.search(/\p{Surrogate}/u),
      '',
      'Here is half of a character (an unpaired surrogate).',
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
    const kinds = TOP_FIELDS[name];
    if (!kinds) {
      if (name.startsWith('x-')) continue;
      const meant = nearest(name, Object.keys(TOP_FIELDS));
      const hint = meant ? `; did you mean ${meant}?` : '.';
      const message = `${name.slice(0, 80)} is not a field of a compose file${hint}`;
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
    findings.add('services_missing', at, 'services', 'The file has no services.');
  }
  for (const field of source.fields(services?.value).values()) {
    const { line } = locate(field.keyAt);
    analysis.services.push(checkService(field, { source, findings, ports, uses, definitions, line }));
  }
  if (analysis.services.length > 0 && !ports.any)
    findings.add('ports_none', services?.keyAt ?? 0, 'services', 'No service publishes a port.');
  uses.walk(source.root, '');
  analysis.variables = uses.finish(secretNames, preLaunchScript, locate);
}

/**
 * The yaml package recurses, slowly and up to the end of the stack, into nested brackets and
 * compact lists; nobody nests deeper than this by hand.
 */
function nestsTooDeep(text: string): boolean {
  const MAX_DEPTH = 200;
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) {
      if (++open > MAX_DEPTH && /^[[{\s]*$/.test(text.slice(i - MAX_DEPTH, i))) return true;
    } else if (c === 0x5d || c === 0x7d) open = Math.max(0, open - 1);
  }
  return /(?:[-?:] +){200}/.test(text);
}
