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

/** Of a field: its unit and kind are shown with the value, so they leave the label ("memory_mb", "created_at", "node_id"). */
export function fieldLabel(name: string, { reference = false } = {}): string {
  if (reference) return words(name.replace(/_id$/, ''));
  return words(name.replace(/_(mb|gb|at)$/, ''));
}

/** "instance-types" → "instance type": the document's resources are plain English plurals. */
export function singular(resource: string): string {
  const text = words(resource);
  const one = text
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  const [first = '', ...rest] = one.split(' ');
  return [Object.values(WORDS).includes(first) ? first : first.toLowerCase(), ...rest].join(' ');
}

/** "a node", "an instance type" */
export const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
