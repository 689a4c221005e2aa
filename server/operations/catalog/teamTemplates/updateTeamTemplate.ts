import { changeTeamTemplate, isTemplateNameTaken, pruneVersions } from '../../../db/catalog/teamTemplates';
import { keepTemplateVersion } from '../../../db/catalog/templateVersions';
import { composeFileHash } from '../../../domain/catalog/newerTemplate';
import { Problem } from '../../../domain/core/problem';
import { holdTeam, userOf } from '../../core/caller';
import type { Handler } from '../../types';
import {
  auditOf,
  auditView,
  checkedText,
  checkTemplateVersion,
  holdTeamTemplate,
  nameTaken,
  readCompose,
  teamTemplateOf,
  templateReply,
} from './teamTemplate';

/** Each change creates a version, so that pages of apps from an earlier one can announce it. */
export const updateTeamTemplate: Handler<'updateTeamTemplate'> = async ({ path, body, ctx }) => {
  await teamTemplateOf(ctx, path.template_id);
  const { change, ...fields } = body;
  if (Object.keys(fields).length === 0)
    throw new Problem('INVALID_REQUEST', {
      message: 'The request changes nothing.',
      suggestions: ['Send at least one field to change.'],
    });
  const read = fields.compose_file === undefined ? undefined : await readCompose(ctx, fields.compose_file);
  const text = change === undefined ? undefined : checkedText('change', change);
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'templates.write');
    const before = await holdTeamTemplate(trx, ctx, path.template_id);
    await checkTemplateVersion(ctx, trx, before);
    const name = fields.name === undefined ? before.name : checkedText('name', fields.name);
    const summary = fields.summary === undefined ? before.summary : checkedText('summary', fields.summary);
    if (await isTemplateNameTaken(trx, { team_id: team.id, name, besides: before.id })) throw nameTaken(name);
    const compose_file = fields.compose_file ?? before.compose_file;
    const version = before.version + 1;
    const version_id = await keepTemplateVersion(trx, {
      team_id: team.id,
      template_id: before.public_id,
      version: String(version),
      name,
      compose_file,
      compose_file_hash: composeFileHash(compose_file),
      change: text ?? (read ? 'New Compose file.' : 'New description.'),
    });
    const { vcpu, memory_mb, disk_gb } = fields.resources ?? before;
    const { inputs, images } = read ?? before;
    await changeTeamTemplate(trx, before.id, userOf(ctx).id, {
      name,
      summary,
      vcpu,
      memory_mb,
      disk_gb,
      inputs,
      images,
      version,
      version_id,
    });
    await pruneVersions(trx, before.public_id);
    const after = await holdTeamTemplate(trx, ctx, path.template_id);
    await audit({ ...auditOf(after, 'update'), before: auditView(before), after: auditView(after) });
    const changed = await templateReply(trx, after);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
