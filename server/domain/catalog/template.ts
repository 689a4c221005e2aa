import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { z } from 'zod';
import { analyzeCompose } from '../../../console/lib/compose/composeFile';
import { isPinned } from '../../../console/lib/compose/service';
import { cvmNameProblem } from '../../../console/lib/ids';
import { wholly } from '../../../console/lib/public/template';
import type { Template, TemplateSummary } from '../../../generated/api/types.gen';

/** Why a template can't be offered, with the field. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
}

const MAX_COMPOSE = 65_536;
const text = (max: number) => z.string().trim().min(1).max(max);
const port = z.int().min(1).max(65_535);

const input = z.strictObject({
  key: z.string().regex(/^[A-Z_][A-Z0-9_]{0,99}$/, 'must be an environment variable in capitals'),
  label: text(60),
  description: text(300).nullable().default(null),
  secret: z.boolean().default(false),
  required: z.boolean().default(true),
  default: z.string().max(1000).nullable().default(null),
  generate: z.int().min(8).max(128).nullable().default(null),
  pattern: z.string().max(200).nullable().default(null),
});

/** `template.yaml`: see docs/templates.md. */
const FILE = z.strictObject({
  name: text(60),
  summary: text(160),
  description: text(2000),
  category: z.enum(['ai', 'databases', 'mcp', 'security', 'tools', 'web']),
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'must look like 1.0.0'),
  license: text(60),
  website: z
    .url({ protocol: /^https$/ })
    .max(300)
    .nullable()
    .default(null),
  resources: z.strictObject({
    vcpu: z.int().min(1).max(1024).default(1),
    memory_mb: z.int().min(512).max(4_194_304),
    disk_gb: z.int().min(1).max(65_536),
  }),
  needs: z
    .array(z.enum(['gpu', 'guest_agent']))
    .max(2)
    .default([]),
  ports: z
    .array(z.strictObject({ port, text: text(60) }))
    .max(20)
    .default([]),
  health: z
    .strictObject({ port, path: z.string().startsWith('/').max(200) })
    .nullable()
    .default(null),
  mcp: z
    .strictObject({
      port,
      path: z.string().startsWith('/').max(200),
      tools: z
        .array(z.strictObject({ name: text(64), text: text(300) }))
        .min(1)
        .max(100),
    })
    .nullable()
    .default(null),
  inputs: z.array(input).max(50).default([]),
  verify: z.array(text(300)).min(1).max(20),
  changelog: z
    .array(
      z.strictObject({
        version: z.string().max(20),
        date: z.iso.date(),
        text: text(1000),
      }),
    )
    .min(1)
    .max(100),
});

/**
 * Reads a template from its two files. `id` is the name of its folder.
 * @throws TemplateFault with the faulty field
 */
export function parseTemplate(id: string, meta: string, compose: string): Template {
  const name = cvmNameProblem(id);
  if (name !== null) throw new TemplateFault(`folder name ${id.slice(0, 80)}: ${name}`);
  if (compose.length > MAX_COMPOSE)
    throw new TemplateFault(`docker-compose.yml: longer than ${MAX_COMPOSE} characters`);
  const read = FILE.safeParse(yaml(meta));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new TemplateFault(`template.yaml, ${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  const file = read.data;
  const secretNames = file.inputs.map(({ key }) => key);
  const { ok, findings, services, variables } = analyzeCompose(compose, { secretNames });
  const fault = findings.find(({ severity }) => severity === 'error');
  if (!ok || fault) throw new TemplateFault(`docker-compose.yml: ${fault?.message ?? 'not a Compose file'}`);
  const images = services.map(({ name: service, image }) => {
    if (image === null || !isPinned(image))
      throw new TemplateFault(`docker-compose.yml, ${service}: the image needs a digest`);
    return image;
  });
  if ((file.category === 'mcp') !== (file.mcp !== null))
    throw new TemplateFault('template.yaml, mcp: required for the category mcp, and only allowed there');
  checkInputs(file.inputs, variables);
  if (file.changelog[0]?.version !== file.version)
    throw new TemplateFault(`template.yaml, changelog: doesn't start with version ${file.version}`);
  return {
    id,
    ...file,
    images: [...new Set(images)],
    compose_file: compose,
    compose_file_hash: createHash('sha256').update(compose).digest('hex'),
  };
}

/** A template's summary for lists. */
export const templateSummary = ({
  id,
  name,
  summary,
  category,
  version,
  needs,
}: Template): TemplateSummary => ({
  id,
  name,
  summary,
  category,
  version,
  needs,
});

/** A variable with a default needs no input: users who want another value add it to the app's secrets. */
function checkInputs(
  inputs: z.infer<typeof FILE>['inputs'],
  variables: readonly { name: string; default?: string }[],
): void {
  const keys = new Set(inputs.map(({ key }) => key));
  if (keys.size < inputs.length) throw new TemplateFault('template.yaml, inputs: a key appears twice');
  const used = new Set(variables.map(({ name }) => name));
  for (const { name, default: fallback } of variables)
    if (fallback === undefined && !keys.has(name))
      throw new TemplateFault(`docker-compose.yml: no input for the variable ${name}`);
  for (const { key, default: value, generate, secret } of inputs) {
    const at = inputAt(key);
    if (!used.has(key)) throw new TemplateFault(`${at}: not used in the Compose file`);
    if (value !== null && generate !== null)
      throw new TemplateFault(`${at}: set a default or a generated value, not both`);
    if (value !== null && secret)
      throw new TemplateFault(`${at}: a secret can't have a default, because anyone could read it`);
  }
  checkPatterns(inputs);
}

const inputAt = (key: string) => `template.yaml, inputs, ${key}`;

/** Time limit for all defaults together, because a third-party pattern could take forever. */
const PATTERNS_MS = 1_000;

function checkPatterns(inputs: z.infer<typeof FILE>['inputs']): void {
  const checks = inputs.flatMap(({ key, default: value, pattern }) => {
    if (pattern === null) return [];
    try {
      const expression = wholly(pattern);
      return value === null ? [] : [{ key, expression, value }];
    } catch {
      throw new TemplateFault(`${inputAt(key)}: the pattern is not a regular expression`);
    }
  });
  if (checks.length === 0) return;
  const matches: unknown[] = [];
  const code = 'for (const { expression, value } of checks) matches.push(expression.test(value))';
  try {
    runInNewContext(code, { checks, matches }, { timeout: PATTERNS_MS });
  } catch {
    const { key = '' } = checks[matches.length] ?? {};
    throw new TemplateFault(`${inputAt(key)}: the pattern takes too long on the default`);
  }
  const fault = checks.find((_, i) => matches[i] !== true);
  if (fault) throw new TemplateFault(`${inputAt(fault.key)}: the default doesn't match the pattern`);
}

function yaml(source: string): unknown {
  try {
    return parse(source, { maxAliasCount: 0 });
  } catch (error) {
    throw new TemplateFault(
      // The parser quotes the line below its message.
      `template.yaml: ${error instanceof Error ? error.message.split('\n')[0]?.replace(/:$/, '') : 'not YAML'}`,
    );
  }
}
