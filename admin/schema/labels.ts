import { ownValue } from '../../console/lib/ownValue';
import type { ResourceDescription } from './types';

/** Words with special spelling. */
const WORDS: Readonly<Record<string, string>> = {
  ai: 'AI',
  api: 'API',
  ca: 'CA',
  cpu: 'CPU',
  cvm: 'CVM',
  cvms: 'CVMs',
  email: 'Email',
  fmspc: 'FMSPC',
  gpu: 'GPU',
  gpus: 'GPUs',
  id: 'ID',
  ip: 'IP',
  kms: 'KMS',
  local: 'Local',
  os: 'OS',
  ppid: 'PPID',
  sev: 'SEV',
  snp: 'SNP',
  tcb: 'TCB',
  tcp: 'TCP',
  tdx: 'TDX',
  tee: 'TEE',
  tls: 'TLS',
  url: 'URL',
  vcpu: 'vCPU',
  vm: 'VM',
  vmm: 'VMM',
  vms: 'VMs',
};

/** "last_error" → "Last error", "max_cvms" → "Max CVMs", "dstack_vmm" → "Dstack VMM". */
export function words(name: string): string {
  const parts = name.split(/[_\s-]+/).filter((part) => part !== '');
  const text = parts.map((part) => (part === 'local' ? part : (ownValue(WORDS, part) ?? part))).join(' ');
  const [first = ''] = parts;
  // A special spelling keeps its first letter: "vCPU".
  return Object.hasOwn(WORDS, first) && first !== 'local'
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Unit suffixes of field names and their symbols. */
const UNITS: Readonly<Record<string, string>> = {
  seconds: 's',
  ms: 'ms',
  minutes: 'min',
  hours: 'h',
};

/** Returns the unit symbol: "every_seconds" → "s". None for a field named after its unit: "minutes". */
export const unitWritten = (name: string): string | undefined =>
  ownValue(UNITS, /_([a-z]+)$/.exec(name)?.[1] ?? '');

/** Returns a field's label without suffixes shown with the value ("memory_mb", "created_at", "node_id"). */
export function fieldLabel(name: string, { reference = false } = {}): string {
  if (reference) return words(name.replace(/_id$/, ''));
  if (name === 'at') return 'When';
  // "member_count" → "Members", but "Dismissed count".
  if (name.endsWith('_count') && !name.endsWith('ed_count')) return words(name.replace(/_count$/, 's'));
  return words(name.replace(/^is_/, '').replace(/_(mb|gb|at|seconds|ms|minutes|hours)$/, ''));
}

/** Resource names that aren't regular plurals. */
const IRREGULAR: Readonly<Record<string, readonly [one: string, many: string]>> = {
  audit: ['audit entry', 'audit entries'],
  outbox: ['message', 'messages'],
  'queue-workers': ['queue', 'queues'],
  usage: ['usage item', 'usage items'],
  workspaces: ['team', 'teams'],
};

/** Resources that have another name on screen than in the API. */
const LABELS: Readonly<Record<string, string>> = { 'queue-workers': 'Queues', workspaces: 'Teams' };

/** Returns the label of a resource's list and menu entry: "instance-types" → "Instance types". */
export const resourceLabel = (resource: string): string => ownValue(LABELS, resource) ?? words(resource);

/** Returns the singular of a resource name: "instance-types" → "instance type". */
export function singular(resource: string): string {
  const irregular = ownValue(IRREGULAR, resource);
  if (irregular) return irregular[0];
  const text = words(resource);
  const one = text
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  const [first = '', ...rest] = one.split(' ');
  return [Object.values(WORDS).includes(first) ? first : first.toLowerCase(), ...rest].join(' ');
}

/** Returns the label of a resource's create action: "Add node", or the operation's own label. */
export const createLabel = ({ singular, hints }: Pick<ResourceDescription, 'singular' | 'hints'>): string =>
  hints.create?.label ?? `Add ${singular}`;

/** Returns the title if creating was refused: "Couldn’t add the node", "Couldn’t adjust balance". */
export const createFailed = ({ singular, hints }: Pick<ResourceDescription, 'singular' | 'hints'>): string =>
  hints.create?.label === undefined
    ? `Couldn’t add the ${singular}`
    : `Couldn’t ${inSentence(hints.create.label)}`;

/** Returns the plural for use in a sentence: "25 of 10 412 instance types". */
export const plural = (resource: string): string =>
  ownValue(IRREGULAR, resource)?.[1] ?? inSentence(words(resource));

/** Lowercases a label for use in a sentence: "Nodes" → "nodes". Abbreviations keep their capitals: "CVMs". */
export const inSentence = (label: string): string =>
  /^.[A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** Menu groups, most used first; unknown groups come last. */
const GROUPS: readonly string[] = [
  'compute',
  'teams',
  'infrastructure',
  'catalog',
  'ai',
  'content',
  'billing',
  'system',
];

/** Returns the distinct groups in menu order. */
export function groupsInOrder(groups: readonly string[]): string[] {
  const place = (group: string) => (GROUPS.includes(group) ? GROUPS.indexOf(group) : GROUPS.length);
  return [...new Set(groups)].toSorted((a, b) => place(a) - place(b));
}
