import type { TemplateRef } from '../../../generated/api/types.gen';
import { keepTemplateVersion, knownTemplateVersion } from '../../db/catalog/templateVersions';
import type { Tx } from '../../db/core/client';
import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';

/**
 * Returns the row of the template's version that a Compose file is from; null for none. A form may be older than the
 * server's templates: each version that a template ever had counts.
 * @throws INVALID_REQUEST
 */
export async function templateVersionOf(
  ctx: Pick<Context, 'templates'>,
  trx: Tx,
  ref: TemplateRef | undefined,
): Promise<number | null> {
  if (ref === undefined) return null;
  const template = ctx.templates.find(ref.id);
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

const unknown = (field: string, value: string, message: string) =>
  new Problem('INVALID_REQUEST', {
    message,
    details: [{ field, value, message }],
    suggestions: ['Start from the template again, or leave template out.'],
  });
