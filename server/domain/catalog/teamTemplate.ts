import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { ComposeVariable } from '../../../console/lib/compose/composeFile';
import type { TeamTemplate, TeamTemplateSummary, TemplateInput } from '../../../generated/api/types.gen';
import { defineVersion } from '../core/version';

/** Templates of one team. */
export const MAX_TEAM_TEMPLATES = 50;
/** Inputs of one template. */
export const MAX_INPUTS = 50;
export const MAX_IMAGES = 50;

/** Masked while typed. Only names that look secret; all values are encrypted the same way. */
const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|PRIVATE|DSN|_URL$/i;

/** “POSTGRES_PASSWORD” → “Postgres password” */
const labelOf = (key: string): string => {
  const words = key.toLowerCase().split('_').filter(Boolean).join(' ');
  return cutWhole(words.charAt(0).toUpperCase() + words.slice(1) || key, 60);
};

/** Returns the form inputs for a Compose file's variables. Values are never part of a template. */
export const inputsOf = (variables: readonly ComposeVariable[]): TemplateInput[] =>
  variables.map(({ name, default: value }) => ({
    key: name,
    label: labelOf(name),
    description: value === undefined || value === '' ? null : `${cutWhole(value, 200)} if left empty.`,
    secret: SECRET_NAME.test(name),
    required: value === undefined,
    default: null,
    generate: null,
    pattern: null,
  }));

interface Fields {
  public_id: string;
  name: string;
  summary: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  inputs: TemplateInput[];
  images: string[];
  version: number;
  compose_file: string;
  compose_file_hash: string;
  author: string | null;
  created_at: Date;
  updated_at: Date;
}

type EditedTemplate = Pick<
  Fields,
  'name' | 'summary' | 'compose_file_hash' | 'vcpu' | 'memory_mb' | 'disk_gb'
>;

export const teamTemplateVersion = defineVersion<EditedTemplate>('tt1', [
  { field: 'name', value: ({ name }) => name },
  { field: 'summary', value: ({ summary }) => summary },
  { field: 'compose_file', value: (row) => row.compose_file_hash },
  { field: 'resources', value: ({ vcpu, memory_mb, disk_gb }) => [vcpu, memory_mb, disk_gb] },
]);

export const teamTemplateSummary = (row: Fields): TeamTemplateSummary => ({
  id: row.public_id,
  name: row.name,
  summary: row.summary,
  version: String(row.version),
  updated_by: row.author,
  updated_at: row.updated_at.toISOString(),
});

interface Change {
  version: string;
  created_at: Date;
  change: string | null;
}

export const changelogOf = (changes: readonly Change[]): TeamTemplate['changelog'] =>
  changes.map(({ version, created_at, change }) => ({
    version,
    date: created_at.toISOString().slice(0, 10),
    text: change ?? '',
  }));

export function teamTemplateOut(row: Fields, changes: readonly Change[]): TeamTemplate {
  const shown = {
    ...teamTemplateSummary(row),
    resources: { vcpu: row.vcpu, memory_mb: row.memory_mb, disk_gb: row.disk_gb },
    inputs: row.inputs,
    images: row.images,
    changelog: changelogOf(changes),
    compose_file: row.compose_file,
    compose_file_hash: row.compose_file_hash,
    created_at: row.created_at.toISOString(),
  };
  return { ...shown, etag: teamTemplateVersion.etag(row, shown) };
}
