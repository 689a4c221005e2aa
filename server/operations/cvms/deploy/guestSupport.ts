import { guestFieldsOf, type GuestFields } from '../../../../console/lib/compose/guestFields';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import type { Db } from '../../../db/core/client';
import { checkGuestFields, unsupportedField, unsupportedProblem } from '../../../domain/hosts/guestSupport';

/**
 * @param os_image the CVM's new image, if the change includes one
 * @throws INCOMPATIBLE_CONFIG for a field that the CVM's host or image would ignore or refuse
 */
export async function requireGuestSupport(
  db: Db,
  { cvm, teepod, kms }: Pick<JoinedCvm, 'cvm' | 'teepod' | 'kms'>,
  compose: GuestFields,
  os_image = cvm.os_image,
): Promise<void> {
  if (Object.keys(guestFieldsOf(compose)).length === 0) return;
  if (kms) checkGuestFields(compose, kms, cvm.disk_gb, '');
  const image = await db
    .selectFrom('os_images')
    .select(['name', 'version'])
    .where('name', '=', os_image)
    .orderBy('id')
    .executeTakeFirst();
  const unsupported = unsupportedField(
    compose,
    { ...teepod, teepod_name: teepod.name },
    image ?? { name: os_image, version: os_image },
  );
  if (unsupported) throw unsupportedProblem(unsupported, '');
}
