import {
  countTeamTemplates,
  insertTeamTemplate,
  isTemplateNameTaken,
} from '../../../db/catalog/teamTemplates';
import { keepTemplateVersion } from '../../../db/catalog/templateVersions';
import { composeFileHash } from '../../../domain/catalog/newerTemplate';
import { MAX_TEAM_TEMPLATES } from '../../../domain/catalog/teamTemplate';
import { Problem } from '../../../domain/core/problem';
import { publicId } from '../../../domain/core/publicId';
import { holdTeam, userOf } from '../../core/caller';
import type { Handler } from '../../types';
import {
  auditOf,
  auditView,
  checkedText,
  holdTeamTemplate,
  nameTaken,
  readCompose,
  templateReply,
} from './teamTemplate';

export const createTeamTemplate: Handler<'createTeamTemplate'> = async ({ body, ctx }) => {
  const name = checkedText('name', body.name);
  const summary = checkedText('summary', body.summary);
  const { compose_file, resources } = body;
  const read = await readCompose(ctx, compose_file);
  return ctx.write(async ({ trx, audit }) => {
    // Locked, so that concurrent requests count each other's templates.
    const { team } = await holdTeam(trx, ctx, 'templates.write');
    if ((await countTeamTemplates(trx, team.id)) >= MAX_TEAM_TEMPLATES)
      throw new Problem('TEMPLATE_LIMIT', {
        message: `${team.name} has reached the limit of ${MAX_TEAM_TEMPLATES} templates.`,
      });
    if (await isTemplateNameTaken(trx, { team_id: team.id, name, besides: null })) throw nameTaken(name);
    const public_id = publicId('tpl');
    const version_id = await keepTemplateVersion(trx, {
      team_id: team.id,
      template_id: public_id,
      version: '1',
      name,
      compose_file,
      compose_file_hash: composeFileHash(compose_file),
      change: 'First version.',
    });
    await insertTeamTemplate(
      trx,
      { public_id, team_id: team.id, created_by: userOf(ctx).id },
      { name, summary, ...resources, ...read, version: 1, version_id },
    );
    const row = await holdTeamTemplate(trx, ctx, public_id);
    await audit({ ...auditOf(row, 'create'), after: auditView(row) });
    const made = await templateReply(trx, row);
    return { status: 201, headers: { ETag: made.etag }, body: made } as const;
  });
};
