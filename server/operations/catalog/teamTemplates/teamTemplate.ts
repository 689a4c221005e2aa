import type { CreateTeamTemplate } from '../../../../generated/api/types.gen';
import type { Db, Tx } from '../../../db/core/client';
import type { Json } from '../../../db/core/json';
import {
  findTeamTemplate,
  lockTeamTemplate,
  versionChanges,
  type TeamTemplateRow,
} from '../../../db/catalog/teamTemplates';
import {
  inputsOf,
  MAX_IMAGES,
  MAX_INPUTS,
  teamTemplateOut,
  teamTemplateVersion,
} from '../../../domain/catalog/teamTemplate';
import { Problem } from '../../../domain/core/problem';
import { textFault } from '../../../domain/core/visibleText';
import { teamOf, userOf } from '../../core/caller';
import { checkIfMatch } from '../../core/ifMatch';
import { refuseErrors } from '../../cvms/deploy/checkedCompose';
import { invalidField } from '../../core/invalid';
import type { AuditEntry, Context } from '../../types';

const noTemplate = () => new Problem('NOT_FOUND', { message: 'Template not found in this team.' });

/** @throws NOT_FOUND */
export async function teamTemplateOf(ctx: Context, template_id: string): Promise<TeamTemplateRow> {
  const row = await findTeamTemplate(ctx.db, teamOf(ctx).id, template_id);
  if (!row) throw noTemplate();
  return row;
}

/** Like `teamTemplateOf`, but locked until the transaction ends. @throws NOT_FOUND */
export async function holdTeamTemplate(trx: Tx, ctx: Context, template_id: string): Promise<TeamTemplateRow> {
  const row = await lockTeamTemplate(trx, teamOf(ctx).id, template_id);
  if (!row) throw noTemplate();
  return row;
}

export const templateReply = async (db: Db | Tx, row: TeamTemplateRow) =>
  teamTemplateOut(row, await versionChanges(db, row.team_id, row.public_id));

/** @throws PRECONDITION_FAILED */
export const checkTemplateVersion = async (ctx: Context, trx: Tx, row: TeamTemplateRow): Promise<void> =>
  checkIfMatch(ctx, trx, {
    version: teamTemplateVersion,
    row,
    etag: (await templateReply(trx, row)).etag,
    team_id: row.team_id,
    target_id: row.public_id,
    actions: ['template.update'],
    name: row.name,
  });

/** Normalizes a single-line text for storage. @throws VALIDATION_FAILED */
export function checkedText(field: 'name' | 'summary' | 'change', given: string): string {
  const text = given.trim();
  const fault = /[\n\r\t]/.test(text) ? 'Write it on one line.' : textFault(text);
  if (fault !== null) throw invalidField(field, fault);
  return text;
}

/**
 * Returns the variables and images of a Compose file for the deploy form. Call it before the transaction, because
 * files queue for analysis.
 * @throws INVALID_COMPOSE_FILE, COMPOSE_TOO_COMPLEX, RATE_LIMITED, VALIDATION_FAILED
 */
export async function readCompose(
  ctx: Context,
  compose_file: CreateTeamTemplate['compose_file'],
): Promise<{ inputs: ReturnType<typeof inputsOf>; images: string[] }> {
  const analysis = await ctx.compose.analyze(compose_file, `user:${userOf(ctx).id}`);
  const { variables, services } = analysis;
  refuseErrors(analysis, new Set(variables.map(({ name }) => name)));
  const images = [...new Set(services.flatMap(({ image }) => image ?? []))];
  if (variables.length > MAX_INPUTS)
    throw invalidField(
      'compose_file',
      `It has ${variables.length} variables; a template can have at most ${MAX_INPUTS}.`,
    );
  if (variables.some(({ name }) => name.length > 100))
    throw invalidField('compose_file', 'A variable name can have at most 100 characters.');
  if (images.length > MAX_IMAGES || images.some((image) => image.length > 600))
    throw invalidField(
      'compose_file',
      `A template can have at most ${MAX_IMAGES} images, each with at most 600 characters.`,
    );
  return { inputs: inputsOf(variables), images };
}

export const nameTaken = (name: string) =>
  new Problem('CONFLICT', {
    message: `The team already has a template named “${name}”.`,
    details: [{ field: 'name', value: name, message: 'Another template has this name.' }],
  });

export const auditView = (row: TeamTemplateRow): Json => ({
  name: row.name,
  summary: row.summary,
  version: row.version,
  compose_file_hash: row.compose_file_hash,
  vcpu: row.vcpu,
  memory_mb: row.memory_mb,
  disk_gb: row.disk_gb,
});

export const auditOf = (row: TeamTemplateRow, action: string): AuditEntry => ({
  action: `template.${action}`,
  target_kind: 'template',
  target_id: row.public_id,
});
