import { isTeamTemplateId } from '../../../console/lib/apps/templateId';
import type { TemplateRef } from '../../../generated/api/types.gen';
import {
  holdTemplateVersion,
  keepTemplateVersion,
  knownTemplateVersion,
} from '../../db/catalog/templateVersions';
import { findTeamTemplate, versionChanges } from '../../db/catalog/teamTemplates';
import type { Tx } from '../../db/core/client';
import type { OfferedTemplate } from '../../domain/catalog/newerTemplate';
import { changelogOf } from '../../domain/catalog/teamTemplate';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

/**
 * Returns the row of the template version that a Compose file comes from; null without a reference. A form may be
 * older than the server's templates, so every past version counts.
 * @throws INVALID_REQUEST
 */
export async function templateVersionOf(
  ctx: Context,
  trx: Tx,
  ref: TemplateRef | undefined,
): Promise<number | null> {
  if (ref === undefined) return null;
  if (isTeamTemplateId(ref.id)) return teamVersion(ctx, trx, ref);
  const template = await ctx.templates.find(ref.id, trx);
  if (!template) throw unknown('template.id', ref.id, 'No template has this ID.');
  const { name, version, compose_file, compose_file_hash, changelog } = template;
  const common = { team_id: null, template_id: ref.id, version: ref.version, name };
  if (ref.version === version)
    return keepTemplateVersion(trx, { ...common, compose_file, compose_file_hash });
  const known = await knownTemplateVersion(trx, ref.id, ref.version);
  if (known !== undefined) return known;
  if (!changelog.some((one) => one.version === ref.version))
    throw unknown('template.version', ref.version, `${name} has no such version.`);
  return keepTemplateVersion(trx, { ...common, compose_file: null, compose_file_hash: null });
}

async function teamVersion(ctx: Context, trx: Tx, ref: TemplateRef): Promise<number> {
  const row = await findTeamTemplate(trx, teamOf(ctx).id, ref.id);
  if (!row) throw unknown('template.id', ref.id, 'The team has no template with this ID.');
  const isCurrent = ref.version === String(row.version);
  const known = isCurrent ? row.version_id : await knownTemplateVersion(trx, ref.id, ref.version);
  // Another member may be deleting the template, or pushing this version out of the history.
  if (known === undefined || !(await holdTemplateVersion(trx, known)))
    throw unknown('template.version', ref.version, `${row.name} has no such version.`);
  return known;
}

/** Returns the template that an app came from as it is offered now; undefined if it is gone. */
export async function offeredTemplate(
  ctx: Pick<Context, 'db' | 'templates'>,
  { team_id, template_id }: { team_id: number | null; template_id: string },
): Promise<OfferedTemplate | undefined> {
  if (team_id === null) return ctx.templates.find(template_id);
  const row = await findTeamTemplate(ctx.db, team_id, template_id);
  if (!row) return undefined;
  const changelog = changelogOf(await versionChanges(ctx.db, team_id, template_id));
  return { ...row, version: String(row.version), changelog };
}

const unknown = (field: string, value: string, message: string) =>
  new Problem('INVALID_REQUEST', {
    message,
    details: [{ field, value, message }],
    suggestions: ['Start from the template again, or leave template out.'],
  });
