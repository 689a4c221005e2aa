/** Words that people write in their own way; everything else is a plain word. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  ca: 'CA',
  cpu: 'CPU',
  cvm: 'CVM',
  cvms: 'CVMs',
  fmspc: 'FMSPC',
  gpu: 'GPU',
  gpus: 'GPUs',
  id: 'ID',
  ip: 'IP',
  kms: 'KMS',
  local: 'Local',
  os: 'OS',
  ppid: 'PPID',
  tee: 'TEE',
  url: 'URL',
  vcpu: 'vCPU',
  vmm: 'VMM',
};

/** "last_error" → "Last error", "max_cvms" → "Max CVMs", "dstack_vmm" → "Dstack VMM". */
export function words(name: string): string {
  const parts = name.split(/[_\s-]+/).filter((part) => part !== '');
  const text = parts.map((part) => (part === 'local' ? part : (WORDS[part] ?? part))).join(' ');
  const [first = ''] = parts;
  // A known spelling keeps its own first letter: "vCPU".
  return Object.hasOwn(WORDS, first) && first !== 'local'
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Suffixes of the document's names that are units, and how these are written. */
const UNITS: Readonly<Record<string, string>> = {
  seconds: 's',
  ms: 'ms',
  minutes: 'min',
  hours: 'h',
};

/** "every_seconds" → "s". A field that is called after its unit alone says it already: "minutes". */
export const unitWritten = (name: string): string | undefined => UNITS[/_([a-z]+)$/.exec(name)?.[1] ?? ''];

/** Of a field: its unit and kind are shown with the value, so they leave the label ("memory_mb", "created_at", "node_id"). */
export function fieldLabel(name: string, { reference = false } = {}): string {
  if (reference) return words(name.replace(/_id$/, ''));
  if (name === 'at') return 'When';
  return words(name.replace(/^is_/, '').replace(/_(mb|gb|at|seconds|ms|minutes|hours)$/, ''));
}

/** Names of resources that are no plain English plurals. */
const IRREGULAR: Readonly<Record<string, readonly [one: string, many: string]>> = {
  audit: ['audit entry', 'audit entries'],
  outbox: ['mail', 'mails'],
  usage: ['CVM', 'CVMs'],
};

/** "instance-types" → "instance type": the document's resources are plain English plurals. */
export function singular(resource: string): string {
  const irregular = IRREGULAR[resource];
  if (irregular) return irregular[0];
  const text = words(resource);
  const one = text
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  const [first = '', ...rest] = one.split(' ');
  return [Object.values(WORDS).includes(first) ? first : first.toLowerCase(), ...rest].join(' ');
}

/** What a list has many of, within a sentence: "25 of 10 412 instance types". */
export const plural = (resource: string): string => IRREGULAR[resource]?.[1] ?? inSentence(words(resource));

/** A label within a sentence: "Nodes" → "nodes"; an abbreviation keeps its capitals: "CVMs". */
export const inSentence = (label: string): string =>
  /^.[A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** "a node", "an instance type" */
export const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** Parts of the menu, what people come for most first; a part nobody placed comes last. */
const GROUPS: readonly string[] = [
  'compute',
  'people',
  'infrastructure',
  'catalogue',
  'content',
  'billing',
  'system',
];

/** Each part once, in the order of the menu. */
export function groupsInOrder(groups: readonly string[]): string[] {
  const place = (group: string) => (GROUPS.includes(group) ? GROUPS.indexOf(group) : GROUPS.length);
  return [...new Set(groups)].toSorted((a, b) => place(a) - place(b));
}
